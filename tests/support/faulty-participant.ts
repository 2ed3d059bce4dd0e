/** Stands between a validator and its participant, and spoils what it is told to. */
import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { listen } from "../../packages/api/testing/table-server.ts";

/**
 * `lose`: the participant does it, and the answer never arrives. `hang`: nothing happens at all. `after`: the connection is cut at once, and the
 * participant gets the call when that is over. `lost`: like `lose`, and told as soon as the participant has done it.
 */
export type Fault =
  | "lose"
  | "hang"
  | { readonly after: Promise<void> }
  | { readonly lost: () => void }
  | { readonly status: number; readonly body: unknown };

export interface FaultyParticipant {
  readonly url: string;
  /** Asked for every call. */
  spoil: (path: string, body: string, method: string) => Fault | undefined;
  readonly close: () => Promise<void>;
}

export async function startFaultyParticipant(target: string): Promise<FaultyParticipant> {
  const faults: Pick<FaultyParticipant, "spoil"> = { spoil: () => undefined };
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(incoming);
    const fault = faults.spoil(incoming.url ?? "", body.toString(), incoming.method ?? "GET");
    if (fault === "hang") return;
    if (fault === "lose" || (typeof fault === "object" && "lost" in fault)) {
      const cut = () => {
        if (typeof fault === "object") fault.lost();
        incoming.socket.destroy();
      };
      forward(target, incoming, (answered) => answered.resume().on("end", cut))
        .on("error", cut)
        .end(body);
    } else if (fault === undefined) {
      const outgoing = forward(target, incoming, (answered) => {
        response.writeHead(answered.statusCode ?? 500, answered.headers);
        answered.pipe(response);
      });
      response.on("close", () => outgoing.destroy());
      outgoing.on("error", () => response.destroy()).end(body);
    } else if ("after" in fault) {
      incoming.socket.destroy();
      await fault.after;
      // Nobody waits for the answer any more.
      forward(target, incoming, (answered) => answered.resume())
        .on("error", () => undefined)
        .end(body);
    } else {
      const headers = { "content-type": "application/json" };
      response.writeHead(fault.status, headers).end(JSON.stringify(fault.body));
    }
  };
  const { url, close } = await listen((incoming, response) =>
    answer(incoming, response).catch(() => void response.destroy()),
  );
  return Object.assign(faults, { url, close });
}

function forward(
  target: string,
  { method, headers, url = "" }: IncomingMessage,
  take: (answered: IncomingMessage) => void,
): ClientRequest {
  return request(target + url, { method, headers }, take);
}
