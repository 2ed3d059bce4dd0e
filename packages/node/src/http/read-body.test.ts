import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { VirtualHost } from "../../testing/virtual-host.ts";
import { type BodyBounds, readBody } from "./read-body.ts";

/** Resolves with a body of which only the beginning is sent before `end`, or with its error. */
async function readBroken(
  end: (caller: ReturnType<typeof request>, arrived: IncomingMessage) => void,
): Promise<unknown> {
  const host = new VirtualHost();
  const memory = { receive: () => true, release: () => undefined };
  const bounds: BodyBounds = { maxBytes: 1000, memory, milliseconds: 1000, timers: host.timers };
  let caller: ReturnType<typeof request> | undefined;
  const outcome = new Promise((resolve) => {
    const server = createServer((arrived) => {
      readBody(arrived, bounds).then(resolve, resolve);
      arrived.once("data", () => caller !== undefined && end(caller, arrived));
    });
    onTestFinished(() => void server.close());
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      caller = request({ port, method: "POST", headers: { "content-length": 10 } });
      caller.on("error", () => undefined);
      caller.write("begun");
    });
  });
  const result = await outcome;
  expect(host.waiting).toBe(0);
  return result;
}

test("a caller who breaks off in the middle of a body is an error, and nothing waits for the rest", async () => {
  expect(await readBroken((caller) => caller.destroy())).toBeInstanceOf(Error);
});

test("so is a call that ends by itself in the middle of its body", async () => {
  const result = await readBroken((_, arrived) => arrived.destroy());
  expect(result).toEqual(new Error("the caller broke off"));
});
