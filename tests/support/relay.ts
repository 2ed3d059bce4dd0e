/** Stands before a server under an address of its own: it can move to another one, stop and come back, and lie. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { ANSWER_SEAL_HEADER } from "@callsign/api";
import { listen } from "../../packages/api/testing/table-server.ts";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";

/** The answer to give in place of the server's, as JSON; undefined leaves it as it is. */
export type Lie = (path: string, honest: unknown) => unknown;

export interface Relay {
  readonly url: string;
  /** Puts another server behind it. */
  readonly moveTo: (target: string) => void;
  /** Breaks every connection, until it resumes. */
  readonly stop: () => void;
  readonly resume: () => void;
  readonly lie: (lie: Lie | null) => void;
}

/** Headers that are passed on in both directions. */
const HEADERS = [
  ...["authorization", "content-type", "x-callsign-wait-for", "x-callsign-record-time"],
  ANSWER_SEAL_HEADER,
];

export async function startRelay(atEnd: AtEnd): Promise<Relay> {
  let target = "";
  let isStopped = false;
  let lie: Lie | null = null;
  const open = new Set<IncomingMessage>();
  const { url, close } = await listen((request, response) => {
    if (isStopped) request.socket.destroy();
    else relay(request, response).catch(() => response.destroy());
  });
  atEnd(close);
  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = "", method = "GET" } = request;
    open.add(request);
    response.once("close", () => open.delete(request));
    const body = await text(request);
    const given = HEADERS.flatMap((name) => {
      const value = request.headers[name];
      return typeof value === "string" ? [[name, value] as const] : [];
    });
    const answer = await fetch(target + path, {
      method,
      headers: Object.fromEntries(given),
      ...(body === "" ? {} : { body }),
    });
    const honest = await answer.text();
    if (isStopped) return;
    const said = answer.ok ? lie?.(path, JSON.parse(honest === "" ? "null" : honest)) : undefined;
    for (const name of HEADERS) {
      const value = answer.headers.get(name);
      if (value !== null) response.setHeader(name, value);
    }
    response.writeHead(answer.status).end(said === undefined ? honest : JSON.stringify(said));
  }
  return {
    url,
    moveTo: (next) => {
      target = next;
    },
    stop: () => {
      isStopped = true;
      for (const request of open) request.socket.destroy();
    },
    resume: () => {
      isStopped = false;
    },
    lie: (next) => {
      lie = next;
    },
  };
}
