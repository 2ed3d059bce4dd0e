/** An SV closes a vote exactly when the contract would let it. */
import { expect, test } from "vitest";
import { decideVote } from "../../packages/ledger/src/contracts/splice-dso-governance/decide-vote.ts";
import {
  type PartyId,
  type Time,
  timeFromMicros,
  type VoteRequest,
} from "../../packages/ledger/src/index.ts";
import { isVoteDecided } from "../../packages/sv/src/automation/dso/close-vote-requests.ts";

const SVS = ["a", "b", "c", "d"];
const REQUIRED = 3;
const at = (micros: number): Time => timeFromMicros(BigInt(micros)) as Time;

function requestWith(yes: number, no: number, targetEffectiveAt: Time | null, isKnown: boolean): VoteRequest {
  const reason = { url: "", body: "" };
  const votes = [...SVS.slice(0, yes + no), "somebody who left"].map((name, i) => {
    const vote = {
      sv: `${name}::1220` as PartyId,
      accept: i < yes || i >= yes + no,
      reason,
      optCastAt: null,
    };
    return [name, vote] as const;
  });
  const action = isKnown
    ? ({
        tag: "ARC_DsoRules",
        value: { dsoAction: { tag: "SRARC_CreateExternalPartyAmuletRules", value: {} } },
      } as const)
    : ({ tag: "ExtActionRequiringConformation", value: { dummyUnitField: {} } } as const);
  const dso = "dso::1220" as PartyId;
  return {
    dso,
    requester: "a",
    action,
    reason,
    voteBefore: at(100),
    votes,
    trackingCid: null,
    targetEffectiveAt,
  };
}

function mayClose(request: VoteRequest, yes: number, no: number, now: Time): boolean {
  try {
    decideVote(request, { yes, no, required: REQUIRED }, now);
    return true;
  } catch {
    return false;
  }
}

test("an SV closes a vote exactly when the ledger allows it, for any votes, date and time", () => {
  let closed = 0;
  let open = 0;
  for (let yes = 0; yes <= 4; yes++)
    for (let no = 0; yes + no <= 4; no++)
      for (const effectiveAt of [null, at(100), at(200)])
        for (const now of [99, 100, 101, 199, 200, 201].map(at))
          for (const isKnown of [true, false]) {
            const request = requestWith(yes, no, effectiveAt, isKnown);
            const allowed = mayClose(request, yes, no, now);
            expect([yes, no, effectiveAt, now, isKnown, isVoteDecided(request, SVS, now)]).toEqual([
              ...[yes, no, effectiveAt, now, isKnown, allowed],
            ]);
            if (allowed) closed++;
            else open++;
          }
  expect(Math.min(closed, open)).toBeGreaterThan(100);
});
