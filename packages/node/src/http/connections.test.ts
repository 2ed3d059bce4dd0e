import { connect, type Socket } from "node:net";
import type { Api } from "@callsign/api";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { silentLog } from "../observability/log.ts";
import { systemHost } from "../system-host.ts";
import { startHttpServer } from "./http-server.ts";
import { mountApi, openToAll } from "./mount-api.ts";

const api = {
  ...{ name: "test", title: "", version: "1", description: "", basePath: "", dialect: "splice", tags: {} },
  ...{ errorBody: z.object({ error: z.string() }), maxBodyBytes: 1000, endpoints: {} },
} as const satisfies Api;

async function serve(maxConnections: number): Promise<number> {
  const server = await startHttpServer({
    ...{ host: "0.0.0.0", port: 0, mounts: [mountApi(api, { handlers: {}, ...openToAll })], log: silentLog },
    ...{ system: systemHost, maxConnections },
  });
  onTestFinished(() => server.close());
  return server.port;
}

/** A connection from one of this machine's own addresses. */
async function open(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port, localAddress });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.once("connect", resolve));
  return socket;
}

/** The first line that comes back, or null if the connection ends without one. */
function ask(socket: Socket): Promise<string | null> {
  const answered = new Promise<string | null>((resolve) => {
    socket.once("data", (data) => resolve(String(data).split("\r\n")[0] ?? ""));
    socket.once("close", () => resolve(null));
    if (socket.destroyed) resolve(null);
  });
  socket.write("GET /none HTTP/1.1\r\nhost: localhost\r\n\r\n");
  return answered;
}

test("an address with many idle connections loses the oldest of them to another address, and no other does", async () => {
  const port = await serve(10);
  const few = await open(port, "127.0.0.3");
  const many: Socket[] = [];
  for (let i = 0; i < 9; i++) many.push(await open(port, "127.0.0.2"));
  const newcomer = await open(port, "127.0.0.4");
  expect(await ask(newcomer)).toContain("404");
  expect(await ask(few)).toContain("404");
  expect(await ask(many[0] as Socket)).toBeNull();
  for (const socket of many.slice(1)) expect(await ask(socket)).toContain("404");
});
