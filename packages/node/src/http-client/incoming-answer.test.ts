// Answers over real connections, read as text, chunk by chunk, or not at all.

import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { systemHost } from "../system-host.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function open(listener: RequestListener) {
  const server = createServer(listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const client = systemHost.http.openClient();
  closing.push(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  return { fetch: client.fetch, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

test("a body of many chunks is read whole, characters across them too", async () => {
  const text = "ä€😀".repeat(100_000);
  const { fetch, url } = await open((_, response) => {
    const bytes = Buffer.from(text);
    for (let i = 0; i < bytes.length; i += 10_007) response.write(bytes.subarray(i, i + 10_007));
    response.end();
  });
  expect(await (await fetch(url, {})).text()).toBe(text);
});

describe("a body that nobody reads pauses", () => {
  const chunk = Buffer.alloc(64 * 1024, "x");
  const count = 400;

  async function openPaused() {
    let written = 0;
    const { fetch, url } = await open(async (_, response) => {
      for (; written < count; written++) if (!response.write(chunk)) await once(response, "drain");
      response.end();
    });
    const response = await fetch(url, {});
    const isBlocked = async () => {
      const before = written;
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      return written === before && written > 0;
    };
    await expect.poll(isBlocked).toBe(true);
    expect(written).toBeLessThan(count);
    return response;
  }

  test("and resumes with its reader", async () => {
    const reader = (await openPaused()).body?.getReader();
    let bytes = 0;
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
      bytes += part.value.length;
    expect(bytes).toBe(count * chunk.length);
  });

  test("and resumes when it is read as a text", async () => {
    const text = await (await openPaused()).text();
    expect(text.length).toBe(count * chunk.length);
  });
});

test("a call with an aborted signal is not sent; an abort ends a call before and after its head", async () => {
  let asked = 0;
  const { fetch, url } = await open((request, response) => {
    asked++;
    if (request.url === "/begun") response.writeHead(200).write("a");
  });
  await expect(fetch(url, { signal: AbortSignal.abort(new Error("gone before")) })).rejects.toThrow(
    "gone before",
  );
  expect(asked).toBe(0);
  const first = new AbortController();
  const unanswered = fetch(url, { signal: first.signal });
  await expect.poll(() => asked).toBe(1);
  first.abort(new Error("gone"));
  await expect(unanswered).rejects.toThrow("gone");
  const second = new AbortController();
  const response = await fetch(`${url}begun`, { signal: second.signal });
  second.abort(new Error("gone later"));
  await expect(response.text()).rejects.toThrow("gone later");
});

test("a connection that breaks within a body rejects the read, and nothing if nobody reads", async () => {
  const { fetch, url } = await open((_, response) => {
    response.writeHead(200, { "content-length": 10 }).write("abc", () => response.destroy());
  });
  await expect((await fetch(url, {})).text()).rejects.toThrow();
  await (await fetch(url, {})).body?.cancel();
});
