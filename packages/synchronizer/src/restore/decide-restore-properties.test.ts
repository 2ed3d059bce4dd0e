/** Random histories with liars, silent SVs and lost ones: an acknowledged entry survives every restore. */
import { requiredConfirmations, toleratedFaults } from "@callsign/ledger";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decideRestore, type RestoreDecision } from "./decide-restore.ts";

interface Sv {
  /** The entries in its copy behind the log's end. The hash of an entry is the chain up to it. */
  readonly copy: string;
  /** The copy that it shows if it lies. */
  readonly lie: string;
  readonly answers: boolean;
}

interface World {
  readonly svs: readonly Sv[];
  /** The first SVs are lost, the next ones lie. */
  readonly lost: number;
  readonly liars: number;
}

const chain = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 5 });
const sv = fc.record({ copy: chain, lie: chain, answers: fc.boolean() });

/** So many SVs more are faulty than the network tolerates. */
function worlds(beyond = 0): fc.Arbitrary<World> {
  return fc.array(sv, { minLength: 1, maxLength: 10 }).chain((svs) => {
    const faulty = Math.min(svs.length, toleratedFaults(svs.length) + beyond);
    return fc.nat(faulty).map((lost) => ({ svs, lost, liars: faulty - lost }));
  });
}

const named = (index: number) => `sv-${index}`;

function prefixes(copy: string): readonly string[] {
  return [...copy].map((_, i) => copy.slice(0, i + 1));
}

function decide({ svs, lost, liars }: World, everybodyAnswers = false): RestoreDecision {
  const answers = svs.flatMap(({ copy, lie, answers }, i) => {
    if (i < lost || !(answers || everybodyAnswers)) return [];
    const shown = i < lost + liars ? lie : copy;
    return [[named(i), { entryHashes: prefixes(shown), isWhole: true }] as const];
  });
  const words = { lost: new Set(svs.slice(0, lost).map((_, i) => named(i))), kept: new Map() };
  return decideRestore({ svs: svs.map((_, i) => named(i)), end: 0, shown: new Map(answers), words });
}

/** The longest chain that a quorum held, with the help of all liars. */
function findAcknowledged({ svs, lost, liars }: World): string {
  const isLiar = (i: number) => i >= lost && i < lost + liars;
  const holders = (entry: string) => svs.filter(({ copy }, i) => isLiar(i) || copy.startsWith(entry)).length;
  const honest = svs.filter((_, i) => !isLiar(i)).flatMap(({ copy }) => prefixes(copy));
  const acknowledged = honest.filter((entry) => holders(entry) >= requiredConfirmations(svs.length));
  return acknowledged.sort((a, b) => b.length - a.length)[0] ?? "";
}

function losesAcknowledged(world: World): boolean {
  const acknowledged = findAcknowledged(world);
  const { restored, dropped, end } = decide(world);
  const log = restored.at(-1)?.entryHash ?? "";
  const forks = !(log.startsWith(acknowledged) || acknowledged.startsWith(log));
  const drops = dropped.some(({ entryHash }) => acknowledged.startsWith(entryHash));
  return forks || drops || (end.kind === "whole" && !log.startsWith(acknowledged));
}

const runs = { numRuns: 3000 };

test("with at most f lost or lying SVs, no acknowledged entry is dropped, replaced or left out", () => {
  fc.assert(
    fc.property(worlds(), (world) => !losesAcknowledged(world)),
    runs,
  );
});

test("with one more than f the same search finds a lost acknowledgement", () => {
  expect(
    fc.check(
      fc.property(worlds(1), (world) => !losesAcknowledged(world)),
      runs,
    ).failed,
  ).toBe(true);
});

test("restored entries follow each other, and each was shown by more than f SVs", () => {
  fc.assert(
    fc.property(worlds(), (world) => {
      const { restored } = decide(world);
      const log = restored.at(-1)?.entryHash ?? "";
      expect(restored.map(({ entryHash }) => entryHash)).toEqual(prefixes(log));
      expect(restored.map(({ sequence }) => sequence)).toEqual(prefixes(log).map(({ length }) => length));
      for (const { holders } of restored)
        expect(holders.length).toBeGreaterThan(toleratedFaults(world.svs.length));
    }),
    runs,
  );
});

test("once every SV has answered or is lost, only a choice between two entries is left to the operator", () => {
  fc.assert(
    fc.property(worlds(), (world) => {
      const { end } = decide(world, true);
      if (end.kind === "whole") return;
      expect(end.awaited).toEqual([]);
      expect(end.entries.length).toBeGreaterThan(1);
    }),
    runs,
  );
});

test("every choice of the operator is followed, and the restore then comes to an end", () => {
  fc.assert(
    fc.property(worlds(), fc.nat(1), (world, pick) => {
      const svs = world.svs.map((_, i) => named(i));
      const tails = world.svs.map(
        ({ copy }, i) => [named(i), { entryHashes: prefixes(copy), isWhole: true }] as const,
      );
      const kept = new Map<number, string>();
      const ask = () =>
        decideRestore({ svs, end: 0, shown: new Map(tails), words: { lost: new Set(), kept } });
      let decision = ask();
      for (let i = 0; i <= 5 && decision.end.kind === "waits"; i++) {
        const { sequence, entries } = decision.end;
        const chosen = entries[pick]?.entryHash ?? "";
        kept.set(sequence, chosen);
        decision = ask();
        expect(decision.restored.map(({ entryHash }) => entryHash)).toContain(chosen);
      }
      expect(decision.end.kind).toBe("whole");
    }),
    runs,
  );
});
