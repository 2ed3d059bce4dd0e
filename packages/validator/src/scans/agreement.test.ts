import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideAgreement, findSharedFailure, quorumOf, type ScanVote } from "./agreement.ts";

const said = (value: string): ScanVote<string> => ({ kind: "value", key: value, value });
const refused = (status: number, message: string): ScanVote<string> => ({
  kind: "refusal",
  key: `${status} ${message}`,
  status,
  message,
});
const failed: ScanVote<string> = { kind: "failure", reason: "no connection" };
const nobodyElse = { pending: 0, unasked: 0, patienceOver: false };

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

describe("of four scans", () => {
  const quorum = quorumOf(4);

  test("two equal answers decide, whatever the third says", () => {
    const votes = [said("lie"), said("a"), said("a")];
    expect(decideAgreement(quorum, votes, { ...nobodyElse, unasked: 1 })).toEqual({
      kind: "agreed",
      vote: said("a"),
    });
  });

  test("one answer decides nothing, and one that differs has a third asked", () => {
    const waiting = { pending: 1, unasked: 2, patienceOver: true };
    expect(decideAgreement(quorum, [said("a")], waiting)).toEqual({ kind: "open", ask: 0 });
    const both = [said("a"), said("b")];
    expect(decideAgreement(quorum, both, { ...nobodyElse, unasked: 2 })).toEqual({ kind: "open", ask: 1 });
  });

  test("failures are no answers, however many there are", () => {
    const votes = [failed, failed, failed];
    expect(decideAgreement(quorum, votes, { ...nobodyElse, unasked: 1 })).toEqual({ kind: "none" });
    expect(decideAgreement(quorum, [failed, failed], { ...nobodyElse, unasked: 2 })).toEqual({
      kind: "open",
      ask: 2,
    });
  });

  test("a refusal that two share is the answer; other words are another one", () => {
    const bad = refused(400, "bad");
    expect(decideAgreement(quorum, [bad, bad], { ...nobodyElse, unasked: 2 })).toEqual({
      kind: "agreed",
      vote: bad,
    });
    const others = [bad, refused(400, "worse"), refused(404, "bad"), said("a")];
    expect(decideAgreement(quorum, others, nobodyElse)).toEqual({ kind: "none" });
  });
});

describe("of three scans", () => {
  const quorum = quorumOf(3);

  test("all are waited for", () => {
    const waiting = { pending: 1, unasked: 0, patienceOver: false };
    expect(decideAgreement(quorum, [said("a"), said("a")], waiting)).toEqual({ kind: "open", ask: 0 });
    expect(decideAgreement(quorum, [said("a"), said("a"), said("a")], nobodyElse).kind).toBe("agreed");
  });

  test("one that differs is enough to have no answer, also before the others spoke", () => {
    const waiting = { pending: 1, unasked: 0, patienceOver: false };
    expect(decideAgreement(quorum, [said("a"), said("b")], waiting)).toEqual({ kind: "none" });
  });

  test("those who fail, or let everybody wait, are left out", () => {
    expect(decideAgreement(quorum, [failed, said("a"), failed], nobodyElse).kind).toBe("agreed");
    const late = { pending: 2, unasked: 0, patienceOver: true };
    expect(decideAgreement(quorum, [said("a")], late).kind).toBe("agreed");
    expect(decideAgreement(quorum, [failed, failed, failed], nobodyElse)).toEqual({ kind: "none" });
  });
});

test("up to f scans that lie, fail or are silent change no answer and prevent none", () => {
  const bad = fc.oneof(
    fc.constantFrom("lie", "another lie").map(said),
    fc.constant(failed),
    fc.constant(refused(404, "no")),
  );
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
          const decision = decideAgreement(quorum, votes.slice(0, heard), {
            ...nobodyElse,
            unasked: n - heard,
          });
          if (decision.kind === "agreed") expect(decision.vote).toEqual(said("truth"));
          expect(decision.kind).not.toBe("none");
          if (heard === n) expect(decision.kind).toBe("agreed");
        }
      },
    ),
  );
});

test("what enough scans give as their reason for having no answer can be passed on", () => {
  const busy: ScanVote<string> = { kind: "failure", reason: "503", status: 503, message: "starting" };
  expect(findSharedFailure(quorumOf(4), [busy, failed, failed, busy])).toEqual({
    status: 503,
    message: "starting",
  });
  expect(findSharedFailure(quorumOf(4), [busy, failed, failed, failed])).toBeUndefined();
  expect(findSharedFailure(quorumOf(2), [busy, failed])).toBeUndefined();
});
