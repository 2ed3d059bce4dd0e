import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Timers } from "../host/host.ts";
import type { BodyMemory } from "./body-budget.ts";
import { SMALL_BODY_BYTES } from "./limits.ts";

/** True if the request announces a body. */
export function hasBody({ headers, method }: IncomingMessage): boolean {
  if (method === "HEAD") return false;
  return headers["transfer-encoding"] !== undefined || announcedBytes({ headers }) > 0;
}

/** True if the body may be larger than the small ones: a body that comes in pieces may. */
export function mayBeLarge({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || announcedBytes({ headers }) > SMALL_BODY_BYTES;
}

export interface BodyBounds {
  readonly maxBytes: number;
  readonly memory: BodyMemory;
  /** The whole body arrives within this time. */
  readonly milliseconds: number;
  readonly timers: Timers;
}

export type BodyFault = "too large" | "no room" | "too slow" | "not UTF-8";

/**
 * The body as text, or why it was not read to its end; the rest of it is dropped as it comes. Rejects if the caller
 * breaks off.
 */
export function readBody(
  request: IncomingMessage,
  bounds: BodyBounds,
): Promise<string | { fault: BodyFault }> {
  const { maxBytes, memory, milliseconds, timers } = bounds;
  if (announcedBytes(request) > maxBytes) return Promise.resolve({ fault: "too large" });
  return new Promise<string | { fault: BodyFault }>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let isRefused = false;
    const refuse = (fault: BodyFault) => {
      isRefused = true;
      chunks.length = 0;
      resolve({ fault });
    };
    const late = timers.set(() => refuse("too slow"), milliseconds);
    const settled = () => timers.clear(late);
    request.on("data", (chunk: Buffer) => {
      if (isRefused) return;
      length += chunk.length;
      if (length > maxBytes) refuse("too large");
      else if (memory.receive(chunk.length)) chunks.push(chunk);
      else refuse("no room");
    });
    request.on("end", () => {
      settled();
      const [first] = chunks;
      const bytes = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
      resolve(isUtf8(bytes) ? bytes.toString() : { fault: "not UTF-8" });
    });
    request.on("error", reject);
    request.on("close", () => {
      settled();
      // An error takes longer to make than a body to read.
      if (!request.readableEnded) reject(new Error("the caller broke off"));
    });
  });
}

export function announcedBytes({ headers }: Pick<IncomingMessage, "headers">): number {
  return Number(headers["content-length"] ?? 0);
}
