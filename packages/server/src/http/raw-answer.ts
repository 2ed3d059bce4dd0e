/** An answer on a bare connection, which ends with it: for what never became a request, or was to become a websocket. */
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Rejection } from "@callsign/api";

export function endWithAnswer(socket: Duplex, { status, headers, body }: Rejection): void {
  const lines = Object.entries({
    ...headers,
    connection: "close",
    "content-length": String(Buffer.byteLength(body)),
  });
  const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  // The peer may never close its side.
  socket.once("finish", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${text}\r\n${body}`);
}
