import type { IncomingMessage } from "node:http";

/** True if the request announces a body. */
export function hasBody({ headers, method }: IncomingMessage): boolean {
  if (method === "HEAD") return false;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * The body as text; null if it is longer than the limit, and the rest of it is dropped as it comes. Rejects if the
 * caller breaks off.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<string | null> {
  if (Number(request.headers["content-length"] ?? 0) > limit) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else resolve(null);
    });
    request.on("end", () => resolve(Buffer.concat(chunks).toString()));
    request.on("error", reject);
    request.on("close", () => reject(new Error("the caller broke off")));
  });
}
