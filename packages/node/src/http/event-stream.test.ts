// Server-sent events to a listener over a real connection. Timers are the test's.

import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { VirtualHost } from "../../testing/virtual-host.ts";
import { EventStream, sendEvents } from "./event-stream.ts";
import { STALLED_LISTENER_MILLISECONDS } from "./limits.ts";

interface Served {
  readonly port: number;
  /** Resolves with the end of the first answer, or rejects with its failure. */
  readonly ended: Promise<void>;
  readonly response: () => ServerResponse | null;
  readonly abort: AbortController;
}

async function serve(stream: EventStream, { timers }: VirtualHost): Promise<Served> {
  const abort = new AbortController();
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  let answered: ServerResponse | null = null;
  const server = createServer((_request, response) => {
    answered = response;
    const { signal } = abort;
    sendEvents(stream, { response, headers: { a: "b" }, signal, timers }).then(resolve, reject);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, ended, response: () => answered, abort };
}

test("events arrive as they are made, and the answer ends with them", async () => {
  const host = new VirtualHost();
  const goOn = Promise.withResolvers<void>();
  const stream = new EventStream(async function* () {
    yield "data: 1\n\n";
    await goOn.promise;
    yield "data: 2\n\n";
  });
  const { port, ended } = await serve(stream, host);
  const answer = await fetch(`http://127.0.0.1:${port}`);
  expect([answer.status, answer.headers.get("content-type"), answer.headers.get("a")]).toEqual([
    200,
    "text/event-stream",
    "b",
  ]);
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect(await reader?.read()).toEqual({ value: "data: 1\n\n", done: false });
  goOn.resolve();
  expect(await reader?.read()).toEqual({ value: "data: 2\n\n", done: false });
  expect((await reader?.read())?.done).toBe(true);
  await ended;
});

test("a listener that reads nothing is cut off, and the stream behind it ends", async () => {
  const host = new VirtualHost();
  let made = 0;
  let isClosed = false;
  const stream = new EventStream(async function* () {
    try {
      for (;;) {
        made++;
        yield `data: ${"x".repeat(1_000_000)}\n\n`;
      }
    } finally {
      isClosed = true;
    }
  });
  const { port, ended, response } = await serve(stream, host);
  const socket = connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n"));
  socket.pause();
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  const outcome = expect(ended).rejects.toMatchObject({ name: "TimeoutError" });
  let before = -1;
  const rests = () => {
    const isStill = host.waiting === 1 && made === before;
    before = made;
    return isStill;
  };
  await expect.poll(rests).toBe(true);
  await host.advance(STALLED_LISTENER_MILLISECONDS - 1);
  expect(isClosed).toBe(false);
  await host.advance(1);
  await outcome;
  expect([isClosed, response()?.destroyed, made < 50]).toEqual([true, true, true]);
});

test("a stream ends when its signal is aborted", async () => {
  const host = new VirtualHost();
  const stream = new EventStream(async function* (signal) {
    yield "data: 1\n\n";
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    yield "data: 2\n\n";
  });
  const { port, ended, abort } = await serve(stream, host);
  const answer = await fetch(`http://127.0.0.1:${port}`);
  const text = answer.text();
  abort.abort();
  expect(await text).toBe("data: 1\n\n");
  await ended;
});
