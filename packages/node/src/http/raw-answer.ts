/** Answers on a bare connection. */
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Rejection } from "@callsign/api";
import { ServerResponse, STATUS_CODES } from "../host/node-http.ts";

/** The whole answer. The lines are those of all headers, each with its end. */
export function formatAnswer(status: number, lines: string, body: string): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines}\r\n${body}`;
}

/** Names and values are not checked: they are ours. */
export function formatLines(headers: Readonly<Record<string, string | number>>): string {
  let lines = "";
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`;
  return lines;
}

/** The connection ends with the answer: for bytes that are no request, and for refused websockets. */
export function endWithAnswer(socket: Duplex, { status, headers, body }: Rejection): void {
  const lines = { ...headers, connection: "close", "content-length": Buffer.byteLength(body) };
  // The peer may never close its side.
  socket.once("finish", () => socket.destroy());
  socket.end(formatAnswer(status, formatLines(lines), body));
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
