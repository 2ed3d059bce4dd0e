/** Stands between a validator and its participant, and spoils what it is told to. */
import { request } from "node:http";
import { listen } from "../../packages/api/testing/table-server.ts";

/** `lose`: the participant does it, and the answer never arrives. */
export type Fault = "lose" | { readonly status: number; readonly body: unknown };

export interface FaultyParticipant {
  readonly url: string;
  /** Asked for every call. */
  spoil: (path: string, body: string) => Fault | undefined;
  readonly close: () => Promise<void>;
}

export async function startFaultyParticipant(target: string): Promise<FaultyParticipant> {
  const faulty = { spoil: (): Fault | undefined => undefined } as { spoil: FaultyParticipant["spoil"] };
  const { url, close } = await listen(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { method, headers, url: path = "" } = incoming;
    const fault = faulty.spoil(path, body.toString());
    if (typeof fault === "object") {
      response
        .writeHead(fault.status, { "content-type": "application/json" })
        .end(JSON.stringify(fault.body));
      return;
    }
    const outgoing = request(target + path, { method, headers }, (answer) => {
      if (fault === "lose") {
        answer.resume().on("end", () => incoming.socket.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    outgoing.on("error", () => response.destroy());
    response.on("close", () => outgoing.destroy());
    outgoing.end(body);
  });
  return Object.assign(faulty, { url, close });
}
