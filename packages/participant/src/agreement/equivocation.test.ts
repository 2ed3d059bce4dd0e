/**
 * An ordering engine that shows two histories, and up to f SVs that lie: honest SVs deliver the history that the engine shows
 * them, liars deliver any history to anyone. Two honest participants follow all of them with the real agreement.
 */
import { type Hash, toleratedFaults } from "@callsign/ledger";
import { sha256 } from "@callsign/node";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SequencerConsensus } from "./sequencer-consensus.ts";
import { type DeliveredItem, STREAM_START } from "./stream-agreement.ts";

const hash: Hash = sha256;
const now = "2026-01-01T00:00:00Z";
const LENGTH = 6;

/** Two streams with a common beginning. */
function histories(common: number): readonly [readonly DeliveredItem[], readonly DeliveredItem[]] {
  const make = (mark: string) => {
    let { digest } = STREAM_START;
    return Array.from({ length: LENGTH }, (_, i): DeliveredItem => {
      const offset = i + 1;
      const body = i < common ? `item ${offset}` : `item ${offset} of ${mark}`;
      digest = hash(`${digest}\n${offset}\n${body}`);
      return { offset, digest, body, cause: null };
    });
  };
  return [make("one"), make("the other")];
}

class HonestParticipant {
  readonly taken: string[] = [];
  readonly #consensus: SequencerConsensus;

  constructor(svs: number, threshold: number | null) {
    const ids = Array.from({ length: svs }, (_, i) => `sv-${i + 1}`);
    const known = { synchronizerId: "s", dso: "d" };
    this.#consensus = new SequencerConsensus({
      ...{ sources: svs, threshold, position: STREAM_START, stored: 0, network: null, hash },
      elapsedMilliseconds: () => 0,
      onFault: () => undefined,
      onSvsKnown: () => undefined,
      onObstacle: () => undefined,
    });
    const begun = { id: "n", ...known, migrationId: 0n, svs: ids, svSerial: 0n };
    for (const [source, sequencer] of ids.entries()) {
      const about = {
        acronym: "",
        protocolVersion: 1,
        movableClock: false,
        sequence: 1,
        digest: "",
        recordTime: now,
      };
      const state = { network: "n", ...known, ...about, sequencer, migrationId: 0, svs: ids, now };
      expect(this.#consensus.hearNetwork(source, state, begun)).toBeNull();
    }
  }

  /** A page of one SV, with at most so many items of this history. The SV may be asked for bodies that another one owes. */
  hear(source: number, history: readonly DeliveredItem[], limit: number, lead = false): void {
    if (lead) this.#consensus.lead(source);
    const request = this.#consensus.nextRequest(source);
    if (request === undefined) return;
    const { after, bodies } = request;
    const delivered = history.slice(after, after + limit);
    const items = bodies ? delivered : delivered.map((item) => ({ ...item, body: null }));
    const previousDigest = history[after - 1]?.digest ?? STREAM_START.digest;
    const page = { items, previousDigest, end: LENGTH, recordTime: now, now, svSerial: 0 };
    this.#consensus.hearPage(source, after, page);
    // A distrusted sequencer is trusted again after a while.
    this.#consensus.distrust.end(source);
    this.taken.push(...this.#consensus.take().map(({ body }) => body));
  }
}

/** True if the two took different items for one offset. */
function isForked(one: HonestParticipant, other: HonestParticipant): boolean {
  return one.taken.some((body, i) => i < other.taken.length && other.taken[i] !== body);
}

const world = fc.integer({ min: 1, max: 10 }).chain((svs) =>
  fc.record({
    svs: fc.constant(svs),
    common: fc.integer({ min: 0, max: LENGTH - 1 }),
    /** The history that the engine shows each SV. */
    shown: fc.array(fc.constantFrom(0, 1), { minLength: svs, maxLength: svs }),
    liars: fc.uniqueArray(fc.integer({ min: 0, max: svs - 1 }), { maxLength: toleratedFaults(svs) }),
    steps: fc.array(
      fc.record({
        participant: fc.constantFrom(0, 1),
        source: fc.integer({ min: 0, max: svs - 1 }),
        limit: fc.integer({ min: 1, max: LENGTH }),
        /** The history that a liar tells in this page. */
        told: fc.constantFrom(0, 1),
        lead: fc.boolean(),
      }),
      { maxLength: 120 },
    ),
  }),
);

type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

function run({ svs, common, shown, liars, steps }: World, threshold: number | null) {
  const both = histories(common);
  const participants = [
    new HonestParticipant(svs, threshold),
    new HonestParticipant(svs, threshold),
  ] as const;
  for (const { participant, source, limit, told, lead } of steps) {
    const history = both[liars.includes(source) ? told : (shown[source] ?? 0)] ?? [];
    participants[participant === 0 ? 0 : 1].hear(source, history, limit, lead);
  }
  return isForked(...participants);
}

describe("two honest participants with an engine that shows two histories, and up to f lying SVs,", () => {
  test("never take different items", () => {
    fc.assert(
      fc.property(world, (given) => !run(given, null)),
      { numRuns: 500 },
    );
  });

  test("take different items if f + 1 of four SVs are enough: the search finds the fork", () => {
    const four = world.filter(({ svs }) => svs === 4);
    const found = fc.check(
      fc.property(four, (given) => !run(given, 2)),
      { numRuns: 2000 },
    );
    expect(found.failed).toBe(true);
  });

  test("take different items with f + 1 where each half has an honest SV of its own", () => {
    const say = (participant: 0 | 1, source: number) => ({
      participant,
      source,
      limit: LENGTH,
      told: participant,
      lead: false,
    });
    const steps = [say(0, 0), say(0, 1), say(1, 0), say(1, 2)];
    const halves: World = { svs: 4, common: 2, shown: [0, 0, 1, 1], liars: [0], steps };
    expect([run(halves, 2), run(halves, null)]).toEqual([true, false]);
  });

  test("go on where the engine shows a quorum the same history", () => {
    const [history, other] = histories(1);
    const participant = new HonestParticipant(4, null);
    for (const source of [1, 2, 3]) participant.hear(source, source === 1 ? other : history, LENGTH);
    expect(participant.taken).toHaveLength(1);
    participant.hear(0, history, LENGTH);
    // The SV with the other history leads: its bodies are of no use.
    expect(participant.taken).toHaveLength(1);
    participant.hear(2, history, LENGTH, true);
    expect(participant.taken).toEqual(history.map(({ body }) => body));
  });
});
