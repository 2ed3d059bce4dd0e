import { connect } from "node:net";
import { RECORD_TIME_HEADER } from "@callsign/api";
import { describe, expect, onTestFinished, test } from "vitest";
import { DAY, HOUR } from "../../packages/ledger/src/values/duration.ts";
import { addDuration, time } from "../../packages/ledger/src/values/time.ts";
import type { WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";
import { findReadyNames } from "../../packages/scan/src/routes/ready-names.ts";
import { Random } from "../support/random.ts";
import { ServedWorld } from "./served-world.ts";

const STEPS = 12;
const NAMES = ["alice", "al", "bob", "carol"].map((label) => `${label}.unverified.cns`);
const byName = (name: string) => `/v0/ans-entries/by-name/${name}`;
const byParty = (party: string) => `/v0/ans-entries/by-party/${party}`;

interface RawAnswer {
  readonly status: number;
  /** In their order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Sends the requests in one piece, so that the server answers them in one turn. */
async function askTogether(port: number, heads: readonly string[]): Promise<readonly RawAnswer[]> {
  const socket = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  const closed = new Promise((resolve, reject) => socket.once("close", resolve).once("error", reject));
  const last = heads.length - 1;
  const requests = heads.map((head, i) => `${head}${i === last ? "connection: close\r\n" : ""}\r\n`);
  socket.end(requests.join(""));
  await closed;
  return splitAnswers(Buffer.concat(chunks));
}

function splitAnswers(bytes: Buffer): readonly RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const headEnd = rest.indexOf("\r\n\r\n");
    const [first = "", ...lines] = rest.subarray(0, headEnd).toString("latin1").split("\r\n");
    const headers = lines.map((line) => line.split(": ", 2) as [string, string]);
    const length = Number(headers.find(([name]) => name === "content-length")?.[1]);
    const end = headEnd + 4 + length;
    answers.push({
      status: Number(first.split(" ")[1]),
      headers,
      body: rest.subarray(headEnd + 4, end).toString(),
    });
    rest = rest.subarray(end);
  }
  return answers;
}

/** Node writes these for the connection, and the date may move on in between. */
const OF_THE_CONNECTION = new Set(["Date", "Connection", "Keep-Alive"]);

/** A refused call has a trace of its own. */
function comparable({ headers, ...answer }: RawAnswer): RawAnswer {
  const kept = headers.filter(([name]) => !OF_THE_CONNECTION.has(name));
  return { ...answer, headers: kept.map(([name, value]) => [name, name === "traceparent" ? "" : value]) };
}

/** The same request twice: as most callers send it, and with a header by which it is left to the general path. */
async function compare(world: ServedWorld, target: string): Promise<RawAnswer> {
  const plain = `GET ${target} HTTP/1.1\r\nhost: localhost\r\n`;
  const [fast, general] = await askTogether(world.port, [plain, `${plain}content-type: text/plain\r\n`]);
  if (fast === undefined || general === undefined) throw new Error(`${target} was not answered twice`);
  expect({ target, ...comparable(fast) }).toEqual({ target, ...comparable(general) });
  return fast;
}

/** No answer shows an entry past the record time that it carries. */
function expectLive({ status, headers, body }: RawAnswer): void {
  const recordTime = headers.find(([name]) => name === RECORD_TIME_HEADER)?.[1] ?? "";
  if (status !== 200) return;
  const { entry, entries = [entry] } = JSON.parse(body);
  for (const { expires_at: expiresAt } of entries)
    if (expiresAt !== null) expect(time(expiresAt)).toBeGreaterThanOrEqual(time(recordTime));
}

/** Does something that changes answers: buys, renews, lets time pass, or stops at the very end of an entry. */
function change(world: ServedWorld, wallets: readonly WalletActor[], random: Random): void {
  const wallet = random.pick(wallets);
  const kind = random.below(4);
  if (kind === 0) world.buy(wallet, { name: random.pick(NAMES) });
  else if (kind === 1) world.renew(wallet);
  else if (kind === 2) world.network.advance(random.pick([HOUR, DAY, 40n * DAY]));
  else {
    const entry = random.find(NAMES.flatMap((name) => world.entries(name)));
    const moment = addDuration(entry?.payload.expiresAt ?? world.network.now, BigInt(random.below(2)));
    if (moment > world.network.now) world.network.advanceTo(moment);
  }
}

describe("an answer of the fast lane", () => {
  test.each([3])("equals that of the general path while names change, from seed %i", async (seed) => {
    const world = await ServedWorld.start({ cachedNames: 4 });
    const random = new Random(seed);
    const wallets = ["alice", "bob"].map((name) => world.wallet(name));
    const parties = [...wallets.map(({ party }) => party), world.network.dso];
    const targets = [
      ...NAMES.map(byName),
      ...parties.map(byParty),
      ...parties.map((party) => `/api/scan${byParty(encodeURIComponent(party))}`),
      ...[
        "dso.cns",
        "sv-1.sv.cns",
        "nobody",
        "%61l.unverified.cns",
        "a%2Fb",
        "%E9",
        "%C3%A9",
        "a/b",
        "a?b=c",
        "",
      ].map(byName),
      ...["nobody", "nobody::1220"].map(byParty),
      byName("a".repeat(3000)),
      ...["", "?", "?name_prefix=al", "?name_prefix=a&page_size=1", "?page_size=0", "?name_prefix=%E9"].map(
        (query) => `/api/scan/v0/ans-entries${query}`,
      ),
    ];
    let found = 0;
    for (let step = 0; step < STEPS; step++) {
      change(world, wallets, random);
      // Answers are compared while the node reads the log, not only before and after.
      const reading = world.scan();
      const answers = await Promise.all(random.shuffle([...targets]).map((target) => compare(world, target)));
      await reading;
      for (const answer of answers) {
        expectLive(answer);
        if (answer.status === 200) found++;
      }
    }
    expect(found).toBeGreaterThan(5 * STEPS);
  });

  test("is taken for hits, misses and lists, and for nothing that might be refused", async () => {
    const world = await ServedWorld.start();
    const alice = world.wallet("alice");
    world.buy(alice, { name: "alice.unverified.cns" });
    const { index } = await world.scan();
    const statusOf = (target: string) => findReadyNames(target, index)?.status ?? null;
    expect(statusOf(byName("alice.unverified.cns"))).toBe(200);
    expect(statusOf(`/api/scan${byName("alice.unverified.cns")}`)).toBe(200);
    expect(statusOf(byName("nobody.unverified.cns"))).toBe(404);
    expect(statusOf(byParty(encodeURIComponent(alice.party)))).toBe(200);
    expect(statusOf("/v0/ans-entries?name_prefix=al&page_size=20")).toBe(200);
    for (const target of [
      byName("%E9"),
      byName("a/b"),
      byName("a".repeat(3000)),
      byParty("nobody"),
      "/v0/ans-entries?page_size=0",
      "/v0/dso",
      "/elsewhere/v0/ans-entries/by-name/alice.unverified.cns",
    ])
      expect([target, statusOf(target)]).toEqual([target, null]);
  });
});
