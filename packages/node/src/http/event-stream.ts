/** An answer of server-sent events: it goes on until its stream ends, the listener goes, or the server stops. */
import type { ServerResponse } from "node:http";
import type { Timers } from "../host/host.ts";
import { untilAborted } from "../waiting/abort.ts";
import { startDeadline } from "../waiting/deadline.ts";
import { STALLED_LISTENER_MILLISECONDS } from "./limits.ts";

export class EventStream {
  /** Text of whole events. The stream ends when the signal is aborted. */
  readonly open: (signal: AbortSignal) => AsyncIterable<string>;

  constructor(open: (signal: AbortSignal) => AsyncIterable<string>) {
    this.open = open;
  }
}

interface Listener {
  readonly response: ServerResponse;
  readonly headers: Readonly<Record<string, string>>;
  /** Aborted when the listener has gone, or the server stops. */
  readonly signal: AbortSignal;
  readonly timers: Timers;
}

/** No proxy on the way may keep events back, or keep them for others. */
const EVENT_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

/** Resolves when the stream has ended. A listener that takes nothing for half a minute is cut off. */
export async function sendEvents(stream: EventStream, listener: Listener): Promise<void> {
  const { response, headers, signal } = listener;
  response.writeHead(200, { ...headers, ...EVENT_HEADERS }).flushHeaders();
  try {
    for await (const text of stream.open(signal)) {
      if (signal.aborted) break;
      if (!response.write(text)) await untilDrained(listener);
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/** Rejects if the listener takes nothing for too long, or has gone. */
async function untilDrained({ response, signal, timers }: Listener): Promise<void> {
  const deadline = startDeadline(STALLED_LISTENER_MILLISECONDS, { timers, signals: [signal] });
  const drained = new Promise<void>((resolve) => response.once("drain", () => resolve()));
  try {
    await untilAborted(drained, deadline.signal);
  } finally {
    deadline.clear();
  }
}
