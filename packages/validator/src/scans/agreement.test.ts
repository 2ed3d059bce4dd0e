import { type Time, timeFromMicros } from "@callsign/ledger";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Count,
  type Decision,
  decideAgreement,
  decideCommonTime,
  isDispute,
  type Quorum,
  quorumOf,
  type Said,
  type ScanVote,
} from "./agreement.ts";
import { judgeVote } from "./judge-votes.ts";

type Vote = ScanVote<Said<string>>;

const time = (micros: number): Time => timeFromMicros(BigInt(micros));
const said = (value: string, at: number | null = 1): Vote => ({
  said: { kind: "value", value, text: value, key: () => value },
  at: at === null ? null : time(at),
});
const refused = (status: number, message: string): Vote => ({
  said: { kind: "refusal", status, message, key: () => `${status} ${message}` },
  at: time(1),
});
const failed: Vote = { said: { kind: "failure", cause: "network", reason: "no connection" }, at: null };
const nobodyElse: Count = { pending: 0, unasked: 0, patienceOver: false, isDisputed: false };

function decide(quorum: Quorum, votes: readonly Vote[], count: Partial<Count> = {}): string {
  return summarize(decideAgreement<string, Vote>(quorum, votes, { ...nobodyElse, ...count }));
}

/** The answer and the number of its votes, or the number of scans to ask. */
function summarize(decision: Decision<Vote>): string {
  if (decision.kind !== "agreed") return decision.kind === "open" ? `ask ${decision.ask}` : "none";
  const { votes } = decision;
  const [first] = votes;
  if (first === undefined || first.said.kind === "failure") throw new Error("agreed on nothing");
  return `${first.said.key()} by ${votes.length}`;
}

test.each([
  [1, { needed: 1, first: 1, unanimous: true }],
  [2, { needed: 1, first: 2, unanimous: true }],
  [3, { needed: 1, first: 3, unanimous: true }],
  [4, { needed: 2, first: 2, unanimous: false }],
  [6, { needed: 2, first: 2, unanimous: false }],
  [7, { needed: 3, first: 3, unanimous: false }],
  [13, { needed: 5, first: 5, unanimous: false }],
])("of %i scans", (scans, quorum) => {
  expect(quorumOf(scans)).toEqual({ scans, ...quorum });
});

test.each([
  [
    { scans: 4, svs: 7 },
    { needed: 3, first: 3, unanimous: false },
  ],
  [
    { scans: 2, svs: 7 },
    { needed: 2, first: 2, unanimous: false },
  ],
  [
    { scans: 3, svs: 4 },
    { needed: 2, first: 2, unanimous: false },
  ],
  [
    { scans: 1, svs: 3 },
    { needed: 1, first: 1, unanimous: true },
  ],
])("of %o, where some SVs publish no scan", ({ scans, svs }, quorum) => {
  expect(quorumOf(scans, svs)).toEqual({ scans, ...quorum });
});

describe("of four scans", () => {
  const quorum = quorumOf(4);

  test("two equal answers decide", () => {
    expect(decide(quorum, [said("a"), said("a")], { unasked: 2 })).toBe("a by 2");
    expect(decide(quorum, [said("a")], { pending: 1, unasked: 2, patienceOver: true })).toBe("ask 0");
  });

  test("once two answers differ all are asked, and an equal split is none", () => {
    expect(decide(quorum, [said("a"), said("b")], { unasked: 2 })).toBe("ask 2");
    expect(decide(quorum, [said("a"), said("b"), said("a")], { pending: 1 })).toBe("ask 0");
    expect(decide(quorum, [said("a"), said("b"), said("a"), said("a")])).toBe("a by 3");
    expect(decide(quorum, [said("a"), said("b"), said("a"), said("b")])).toBe("none");
    expect(decide(quorum, [said("a"), said("b"), said("a"), failed])).toBe("a by 2");
    expect(decide(quorum, [said("a"), said("b"), said("a")], { pending: 1, patienceOver: true })).toBe(
      "a by 2",
    );
  });

  test("all are heard after a dispute, although enough are equal now", () => {
    const equal = [said("a"), said("a")];
    expect(decide(quorum, equal, { pending: 2, isDisputed: true })).toBe("ask 0");
    expect(decide(quorum, [...equal, said("a")], { pending: 1, isDisputed: true })).toBe("a by 3");
    expect(decide(quorum, equal, { pending: 2, isDisputed: true, patienceOver: true })).toBe("a by 2");
  });

  test("failures are no answers, however many there are", () => {
    expect(decide(quorum, [failed, failed, failed], { unasked: 1 })).toBe("none");
    expect(decide(quorum, [failed, failed], { unasked: 2 })).toBe("ask 2");
  });

  test("a refusal that two share is the answer; other words are another one", () => {
    const bad = refused(400, "bad");
    expect(decide(quorum, [bad, bad], { unasked: 2 })).toBe("400 bad by 2");
    expect(decide(quorum, [bad, refused(400, "worse"), refused(404, "bad"), said("a")])).toBe("none");
  });
});

describe("of three scans", () => {
  const quorum = quorumOf(3);

  test("all are waited for", () => {
    expect(decide(quorum, [said("a"), said("a")], { pending: 1 })).toBe("ask 0");
    expect(decide(quorum, [said("a"), said("a"), said("a")])).toBe("a by 3");
  });

  test("one that differs is enough to have no answer, also before the others spoke", () => {
    expect(decide(quorum, [said("a"), said("b")], { pending: 1 })).toBe("none");
  });

  test("those who fail, or let everybody wait, are left out", () => {
    expect(decide(quorum, [failed, said("a"), failed])).toBe("a by 1");
    expect(decide(quorum, [said("a")], { pending: 2, patienceOver: true })).toBe("a by 1");
    expect(decide(quorum, [failed, failed, failed])).toBe("none");
  });
});

describe("a disagreement", () => {
  test.each([
    ["at one record time", 4, ["a@1", "a@1", "b@1", "b@1"], 0, true],
    ["at one record time, of two scans", 2, ["a@1", "b@1"], 0, true],
    ["at one record time, with a third scan to come", 3, ["a@1", "b@1"], 1, true],
    ["at one record time, which a silent scan can decide", 4, ["a@1", "b@1", "a@1"], 1, false],
    ["at different record times", 4, ["a@1", "a@1", "b@2", "b@2"], 0, false],
    ["at different record times, of two scans", 2, ["a@1", "b@2"], 0, false],
    ["without record times", 2, ["a", "b"], 0, false],
  ] as const)("%s", (_, scans, answers, silent, isFinal) => {
    const votes = answers.map((text) => {
      const [value = "", at] = text.split("@");
      return said(value, at === undefined ? null : Number(at));
    });
    expect(isDispute(quorumOf(scans), votes, silent)).toBe(isFinal);
  });

  test("is compared again at the latest time that enough scans have reached, or of few any", () => {
    const votes = [said("a", 1), said("b", 5), said("c", 3), said("lie", 99), failed];
    expect(decideCommonTime(quorumOf(4), votes)).toBe(time(5));
    expect(decideCommonTime(quorumOf(3), votes)).toBe(time(99));
    expect(decideCommonTime(quorumOf(4), [said("a", 1), said("b", null)])).toBeNull();
  });
});

describe("a scan that differs from the agreed answer", () => {
  const agreed = [said("a", 5), said("a", 5), said("a", 6)];
  test.each([
    ["lied", "at a record time at which enough gave it", said("b", 5)],
    ["lagged", "at an earlier record time", said("b", 4)],
    ["differed", "at a later record time", said("b", 7)],
    ["differed", "at a record time at which too few gave it", said("b", 6)],
    ["differed", "without a record time", said("b", null)],
    ["failed", "by failing", failed],
    ["agreed", "in nothing", said("a", 9)],
  ] as const)("%s: %s", (verdict, _, vote) => {
    const votes = [...agreed, vote];
    expect(judgeVote<string, Vote>(vote, { votes, agreed, quorum: quorumOf(4) })).toBe(verdict);
  });
});

const bad = fc.oneof(
  fc.constantFrom("lie", "another lie").map((value) => said(value)),
  fc.constant(failed),
  fc.constant(refused(404, "no")),
);

test("up to f scans that lie, fail or are silent change no answer and prevent none", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 4, max: 16 }),
      fc.infiniteStream(bad),
      fc.infiniteStream(fc.nat()),
      (n, lies, order) => {
        const quorum = quorumOf(n);
        const f = quorum.needed - 1;
        const honest = Array.from({ length: n - f }, () => said("truth"));
        const votes = [...[...lies.take(f)], ...honest]
          .map((vote) => ({ vote, at: [...order.take(1)][0] ?? 0 }))
          .sort((a, b) => a.at - b.at)
          .map(({ vote }) => vote);
        for (let heard = 0; heard <= n; heard++) {
          const decision = decide(quorum, votes.slice(0, heard), { unasked: n - heard });
          expect(decision).toMatch(/^(ask|truth)/);
          if (heard === n) expect(decision).toMatch(/^truth/);
        }
      },
    ),
  );
});

test("with any answers, the agreed one has enough votes, and more than any other can still get once two differ", () => {
  const vote = fc.oneof(
    bad,
    fc.constantFrom("truth", "lie").map((value) => said(value)),
  );
  const count = fc.record({ patienceOver: fc.boolean(), isDisputed: fc.boolean(), pending: fc.nat(4) });
  fc.assert(
    fc.property(fc.array(vote, { minLength: 1, maxLength: 9 }), count, (votes, given) => {
      const quorum = quorumOf(votes.length + given.pending);
      const decision = decideAgreement<string, Vote>(quorum, votes, { ...nobodyElse, ...given });
      if (decision.kind !== "agreed") return;
      const keys = votes.flatMap((each) => (each.said.kind === "failure" ? [] : [each.said.key()]));
      const [first] = decision.votes;
      const agreed = first?.said.kind === "failure" ? "" : first?.said.key();
      const others = keys.filter((key) => key !== agreed);
      expect(decision.votes.length).toBe(keys.length - others.length);
      expect(decision.votes.length).toBeGreaterThanOrEqual(quorum.needed);
      if (quorum.unanimous) expect(others).toEqual([]);
      const toCome = given.patienceOver ? 0 : given.pending;
      for (const other of new Set(others)) {
        const most = others.filter((key) => key === other).length + toCome;
        expect(decision.votes.length).toBeGreaterThan(most);
      }
    }),
  );
});
