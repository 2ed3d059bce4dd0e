/** Stands between a validator and its participant, and spoils what it is told to. */
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { listen } from "../../packages/api/testing/table-server.ts";

/**
 * `lose`: the participant does it, and the answer never arrives. `hang`: nothing happens at all. `after`: the connection is cut at once, and the
 * participant gets the call when that is over.
 */
export type Fault =
  | "lose"
  | "hang"
  | { readonly after: Promise<void> }
  | { readonly status: number; readonly body: unknown };

export interface FaultyParticipant {
  readonly url: string;
  /** Asked for every call. */
  spoil: (path: string, body: string) => Fault | undefined;
  readonly close: () => Promise<void>;
}

export async function startFaultyParticipant(target: string): Promise<FaultyParticipant> {
  const faults: Pick<FaultyParticipant, "spoil"> = { spoil: () => undefined };
  const { url, close } = await listen((incoming, response) => {
    buffer(incoming)
      .then(async (body) => {
        const fault = faults.spoil(incoming.url ?? "", body.toString());
        if (fault === "hang") return;
        if (typeof fault === "object" && "after" in fault) {
          incoming.socket.destroy();
          await fault.after;
          return await deliver(target, incoming, body);
        }
        if (typeof fault === "object") answer(response, fault);
        else forward(target, { incoming, response, body, isLost: fault === "lose" });
      })
      .catch(() => response.destroy());
  });
  return Object.assign(faults, { url, close });
}

function answer(
  response: ServerResponse,
  { status, body }: { readonly status: number; readonly body: unknown },
): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
  readonly isLost: boolean;
}

function forward(target: string, { incoming, response, body, isLost }: Exchange): void {
  const { method, headers, url = "" } = incoming;
  const outgoing = request(target + url, { method, headers }, (answered) => {
    if (isLost) {
      answered.resume().on("end", () => incoming.socket.destroy());
      return;
    }
    response.writeHead(answered.statusCode ?? 500, answered.headers);
    answered.pipe(response);
  });
  outgoing.on("error", () => response.destroy());
  response.on("close", () => outgoing.destroy());
  outgoing.end(body);
}

/** Nobody waits for the answer any more. */
function deliver(
  target: string,
  { method, headers, url = "" }: IncomingMessage,
  body: Buffer,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(target + url, { method, headers }, (answered) => {
      answered.resume().on("end", resolve);
    });
    outgoing.on("error", reject).end(body);
  });
}
