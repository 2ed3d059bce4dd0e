/** Answers on a bare connection, which ends with them: for bytes that are no request, and for refused websockets. */
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Rejection } from "@callsign/api";
import { ServerResponse, STATUS_CODES } from "../host/node-http.ts";

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

/**
 * Answers a request that asked for another protocol as if it had not. Node before 24.9 hands over the connection of
 * every such request, without asking which; later ones ask.
 */
export function answerAsRequest(server: Server, request: IncomingMessage, socket: Duplex): void {
  const connection = socket as Socket;
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(connection);
  response.on("finish", () => {
    response.detachSocket(connection);
    connection.end();
  });
  server.emit("request", request, response);
}
