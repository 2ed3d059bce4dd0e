/**
 * Stands before a real sequencer and misbehaves on request: a lying, hanging, failing, lagging, forgetful peer. With the keys
 * of the sequencer's SV it opens sessions of its own, so that members take its lies for the SV's.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { ANSWER_SEAL_HEADER, createClient, type SvChanges, sequencerApi } from "@callsign/api";
import { listen } from "../../packages/api/testing/table-server.ts";
import { svSetMessage } from "../../packages/ledger/src/index.ts";
import { sha256 } from "../../packages/node/src/identity/keys.ts";
import type { MemberIdentity } from "../../packages/node/src/identity/member-identity.ts";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { LyingSessions } from "./lying-sessions.ts";

export type Behaviour =
  | "honest"
  /** Changes what it delivers, and leaves the digests. */
  | "corrupt"
  /** Changes what it delivers, and chains it anew. */
  | "forge"
  /** Says that it is another time. */
  | "wrong-time"
  | "hang"
  | "fail"
  | "nonsense"
  /** Knows nothing that is younger than when it began to. */
  | "lag"
  /** Takes submissions and loses them. */
  | "swallow"
  /** Takes no submission. */
  | "refuse"
  /** Answers who follows at once, with nothing. */
  | "hasty"
  /** Sends more than anybody takes when it is asked for more than three items. */
  | "heavy"
  /** Delivers digests, and does not answer requests for bodies. */
  | "withhold"
  /** Delivers digests where bodies are asked for. */
  | "bare"
  /** Does not answer who follows. */
  | "silent"
  /** Has forgotten every session. */
  | "logged-out"
  /** Lists a party that nobody hosts. */
  | "invent"
  /** Lists no party at all. */
  | "hide"
  /** Says that it is another SV. */
  | "impostor"
  /** Says that its SV has become the network's only one, and attests that itself, several times. */
  | "usurp"
  /** Hands out no change of the network's SVs. */
  | "hide-changes"
  /** Is of an earlier release, which knows of no such changes. */
  | "earlier";

/** The party that an inventing sequencer lists: the first of all. */
export const INVENTED = "0-invented::1220ab";

/** With one of four doing any of these, for as long as it likes, everything goes on. */
export const LASTING_FAULTS: readonly Behaviour[] = [
  "corrupt",
  "forge",
  "wrong-time",
  "hang",
  "fail",
  "nonsense",
  "lag",
  "swallow",
  "logged-out",
  "withhold",
  "bare",
];

export interface FaultySequencer {
  readonly url: string;
  behave: (behaviour: Behaviour) => void;
  /** Does something once, when the next submission has come, before it is looked at. */
  readonly atNextSubmission: (work: () => Promise<void>) => void;
  /** Counts submissions that it took and lost. */
  readonly swallowed: () => number;
  /** Counts submissions that it refused. */
  readonly refused: () => number;
  /** Counts requests for its stream. */
  readonly followed: () => number;
  /** Counts items that it delivered with their bodies. */
  readonly bodies: () => number;
  /** The offset behind which its stream was asked for last. */
  readonly followedAfter: () => number;
  /** Counts requests for the changes of the network's SVs. */
  readonly askedForChanges: () => number;
  /** Counts requests of any kind. */
  readonly asked: () => number;
  /** From now on another one stands behind it. */
  readonly moveTo: (target: string) => void;
  /** No longer reachable. */
  readonly stop: () => Promise<void>;
}

interface Disguise {
  /** Of the SV whose sequencer it stands before; without it, it is a middleman. */
  readonly identity?: MemberIdentity;
  /** The id that an impostor says it has. */
  readonly impersonated?: string;
}

export async function beforeSequencer(
  first: string,
  atEnd: AtEnd,
  { identity, impersonated = "" }: Disguise = {},
): Promise<FaultySequencer> {
  const sessions = identity === undefined ? null : new LyingSessions(identity);
  let target = first;
  let behaviour: Behaviour = "honest";
  let swallowed = 0;
  let refused = 0;
  let followed = 0;
  let followedAfter = 0;
  let bodies = 0;
  let askedForChanges = 0;
  let usurpedSerial: number | null = null;
  let asked = 0;
  let atSubmission: (() => Promise<void>) | null = null;
  const forged = { after: new Map<number, string>() };
  const withheld = new Set<ServerResponse>();
  const { url, close } = await listen((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  atEnd(close);
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    asked++;
    const isSubmission = request.url?.endsWith("/v1/submissions") === true;
    const isStream = request.url?.includes("/v1/stream") === true;
    if (isStream) {
      followed++;
      followedAfter = Number(/after=(\d+)/.exec(request.url ?? "")?.[1] ?? 0);
    }
    if (isSubmission && atSubmission !== null) {
      const work = atSubmission;
      atSubmission = null;
      await work();
    }
    if (behaviour === "hang") return;
    if (behaviour === "fail") return send(response, 500, '{"error":"no"}');
    if (behaviour === "nonsense") return send(response, 200, "{]");
    if (behaviour === "swallow" && isSubmission) {
      swallowed++;
      return send(response, 200, '{"sequence":1}');
    }
    if (behaviour === "refuse" && isSubmission) {
      refused++;
      return send(response, 429, '{"error":"too much"}');
    }
    if (behaviour === "heavy" && isStream && limitOf(request) > 3) {
      response.writeHead(200, { "content-length": 100_000_000 }).write("{");
      return;
    }
    if (behaviour === "withhold" && isStream && isForBodies(request)) {
      withheld.add(response);
      return;
    }
    if (behaviour === "hasty") request.url = request.url?.replace(/waitMs=\d+/, "waitMs=0") ?? "";
    if (behaviour === "earlier" && request.url?.includes("/v1/network/svs"))
      return send(response, 404, '{"error":"no such path"}');
    if (behaviour === "logged-out" && isStream) return send(response, 401, '{"error":"no session"}');
    const answered = await forward(request, body);
    if (isSilent() && isStream) return;
    const original = await answered.text();
    const said = (answered.ok && (await sessions?.replace(request, body, original, target))) || original;
    const isTopology = request.url?.includes("/v1/parties") === true;
    if (!answered.ok) return send(response, answered.status, said);
    const distorted = isTopology
      ? distortTopology(said)
      : ((await distortChanges(request.url ?? "", said)) ?? distort(said, isStream));
    const seal = sessions?.seal(request, body, distorted) ?? answered.headers.get(ANSWER_SEAL_HEADER);
    send(response, answered.status, distorted, seal ?? undefined);
  }
  const isSilent = () => behaviour === "silent";
  function forward({ url: path, method = "GET", headers }: IncomingMessage, body: string) {
    const { authorization } = headers;
    return fetch(target + path, {
      method,
      headers: {
        "content-type": "application/json",
        ...(authorization === undefined ? {} : { authorization }),
      },
      ...(body === "" ? {} : { body }),
    });
  }
  function distort(said: string, isStream: boolean): string {
    if (behaviour === "impostor")
      return said.replace(/"sequencer":"[^"]*"/, `"sequencer":${JSON.stringify(impersonated)}`);
    if (behaviour === "wrong-time") return said.replace(/"now":"\d{4}/, '"now":"2001');
    if (!isStream) return said;
    const page = JSON.parse(said) as {
      items: { offset: number; digest: string; body: string | null }[];
      previousDigest: string | null;
      end: number;
      svSerial?: number;
    };
    bodies += page.items.filter(({ body }) => body !== null).length;
    if (behaviour === "usurp") page.svSerial = (page.svSerial ?? 0) + 1;
    if (behaviour === "hide-changes") page.svSerial = 0;
    if (behaviour === "earlier") delete page.svSerial;
    if (behaviour === "corrupt")
      for (const item of page.items) item.body = item.body?.replace("true", "false") ?? null;
    if (behaviour === "bare") for (const item of page.items) item.body = null;
    if (behaviour === "lag") page.items = [];
    if (behaviour === "forge") {
      page.previousDigest = null;
      for (const item of page.items) {
        const previous = forged.after.get(item.offset - 1) ?? "0".repeat(64);
        item.body = item.body?.replace("recordTime", "recordtime") ?? null;
        item.digest = sha256(`${previous}\n${item.offset}\n${item.body}`);
        forged.after.set(item.offset, item.digest);
      }
    } else for (const item of page.items) forged.after.set(item.offset, item.digest);
    return JSON.stringify(page);
  }
  async function distortChanges(path: string, said: string): Promise<string | null> {
    if (!path.includes("/v1/network/svs")) return null;
    askedForChanges++;
    if (behaviour === "hide-changes") return '{"changes":[]}';
    if (behaviour !== "usurp" || identity === undefined) return said;
    const { changes } = JSON.parse(said) as SvChanges;
    const { network } = await createClient(sequencerApi, { fetch, baseUrl: target }).getNetwork();
    const after = changes.at(-1)?.serial ?? Number(/after=(\d+)/.exec(path)?.[1]);
    usurpedSerial ??= after + 1;
    if (after + 1 !== usurpedSerial) return said;
    const usurped = { serial: usurpedSerial, svs: [identity.id] };
    const { publicKey, sign } = identity.namespaceKey;
    const message = svSetMessage(network, { ...usurped, serial: BigInt(usurped.serial) });
    const attestations = Array.from({ length: 5 }, () => ({ publicKey, signature: sign(message) }));
    return JSON.stringify({ changes: [...changes, { ...usurped, attestations }] });
  }
  function distortTopology(said: string): string {
    const { parties } = JSON.parse(said) as { parties: readonly string[] | null };
    if (behaviour === "hide") return '{"parties":[]}';
    return behaviour === "invent" ? JSON.stringify({ parties: [INVENTED, ...(parties ?? [])] }) : said;
  }
  return {
    url,
    behave: (next) => {
      behaviour = next;
      // A sequencer that withheld bodies is whole again: nobody waits for its answers any more.
      for (const response of withheld) response.destroy();
      withheld.clear();
    },
    atNextSubmission: (work) => {
      atSubmission = work;
    },
    swallowed: () => swallowed,
    askedForChanges: () => askedForChanges,
    asked: () => asked,
    moveTo: (next) => {
      target = next;
    },
    refused: () => refused,
    followed: () => followed,
    bodies: () => bodies,
    followedAfter: () => followedAfter,
    stop: close,
  };
}

function send(response: ServerResponse, status: number, body: string, seal?: string): void {
  const headers = { "content-type": "application/json" };
  response
    .writeHead(status, seal === undefined ? headers : { ...headers, [ANSWER_SEAL_HEADER]: seal })
    .end(body);
}

function isForBodies({ url }: IncomingMessage): boolean {
  return !/bodies=false/.test(url ?? "");
}

function limitOf({ url }: IncomingMessage): number {
  return Number(/limit=(\d+)/.exec(url ?? "")?.[1]);
}
