/**
 * Websockets through a gateway: the handshake is passed on and so is its answer, whatever it is; once both sides agree,
 * bytes pass both ways until one of them ends.
 */
import { request as forward, type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from "node:http";
import { type Duplex, pipeline } from "node:stream";

export interface Upgrade {
  readonly incoming: IncomingMessage;
  readonly socket: Duplex;
  /** What came behind the handshake already. */
  readonly head: Buffer;
}

const HANDSHAKE_MILLISECONDS = 60_000;
/** Of a handshake, which has no body; what pretends to be one is not passed on. */
const FRAMING = ["content-length", "expect", "trailer"];
/** Of the answer's connection alone. */
const HOPS = ["connection", "keep-alive", "transfer-encoding"];

/** Everything else that asks for another protocol is answered as if it had not. */
export function isWebsocket({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && headers.upgrade?.toLowerCase() === "websocket";
}

export function refuseUpgrade(socket: Duplex, status: number, error: string): void {
  const body = JSON.stringify({ error });
  const length = String(Buffer.byteLength(body));
  socket.on("error", () => socket.destroy());
  socket.once("finish", () => socket.destroy());
  const headers = ["content-type", "application/json", "content-length", length, "connection", "close"];
  socket.end(headOf(status, headers) + body);
}

export class Tunnels {
  readonly #open = new Set<Duplex>();

  /** `headers`: those that are for the target, and not for this connection alone. */
  open({ incoming, socket, head }: Upgrade, target: string, headers: IncomingHttpHeaders): void {
    const { hostname, port } = new URL(target);
    this.#keep(socket);
    const kept = Object.entries(headers).filter(([name]) => !FRAMING.includes(name));
    const outgoing = forward({
      hostname,
      port,
      path: incoming.url,
      headers: { ...Object.fromEntries(kept), connection: "Upgrade", upgrade: "websocket" },
      timeout: HANDSHAKE_MILLISECONDS,
      agent: false,
    });
    outgoing.on("upgrade", (answer, upstream, upstreamHead) => {
      this.#keep(upstream);
      socket.write(headOf(101, answer.rawHeaders));
      socket.write(upstreamHead);
      upstream.write(head);
      pipeline(socket, upstream, () => upstream.destroy());
      pipeline(upstream, socket, () => socket.destroy());
    });
    outgoing.on("response", (answer) => passAnswer(answer, socket));
    outgoing.on("timeout", () => outgoing.destroy(new Error("it did not answer in time")));
    outgoing.on("error", (error) =>
      refuseUpgrade(socket, 502, `${target} cannot be reached: ${error.message}`),
    );
    socket.on("close", () => outgoing.destroy());
    outgoing.end();
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #keep(socket: Duplex): void {
    this.#open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#open.delete(socket));
  }
}

/** The target took the handshake for a request, and refused it. The end of the connection is that of the answer. */
function passAnswer(answer: IncomingMessage, socket: Duplex): void {
  const headers = answer.rawHeaders.flatMap((name, i, all) =>
    i % 2 === 1 || HOPS.includes(name.toLowerCase()) ? [] : [name, all[i + 1] ?? ""],
  );
  socket.write(headOf(answer.statusCode ?? 502, [...headers, "connection", "close"]));
  pipeline(answer, socket, () => socket.destroy());
}

/** Names and values in turn. */
function headOf(status: number, headers: readonly string[]): string {
  const lines = headers.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${headers[i + 1] ?? ""}\r\n`] : []));
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n`;
}
