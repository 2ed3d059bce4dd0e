import { describe, expect, test } from "vitest";
import { DsoFixture } from "../../../testing/dso-fixture.ts";
import {
  expectNotFound,
  expectOtherGroup,
  expectTooEarly,
  expectUnauthorized,
  expectUnmet,
  PRECONDITION_FAILED,
  rejectionOf,
} from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import type { ArgumentOf } from "../../engine/declaration.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { DAY, MICROSECOND, MINUTE } from "../../values/duration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration } from "../../values/time.ts";
import { relTime } from "../rel-time.ts";
import { FeaturedAppRight } from "../splice-amulet/declarations/amulet.ts";
import { DsoRules } from "./declarations/dso-rules.ts";
import { VoteRequest } from "./declarations/vote-request.ts";

const alice = testParty("alice");
const reason = { url: "https://example.com/why", body: "for everybody's good" };
const action = {
  tag: "ARC_DsoRules",
  value: { dsoAction: { tag: "SRARC_GrantFeaturedAppRight", value: { provider: alice } } },
} as const;

type Requesting = ArgumentOf<(typeof DsoRules)["choices"]["DsoRules_RequestVote"]>;

function request(network: DsoFixture, given: Partial<Requesting> = {}, actAs?: PartyId): ContractId {
  const requester = given.requester ?? network.sv(0);
  const argument = { requester, action, reason, voteRequestTimeout: null, targetEffectiveAt: null, ...given };
  const as = network.asSv(actAs ?? requester);
  return network.sandbox.exercise(DsoRules, network.dsoRules, "DsoRules_RequestVote", argument, as)
    .voteRequest;
}

function cast(
  network: DsoFixture,
  requestCid: ContractId,
  sv: PartyId,
  accept: boolean,
  why = reason,
): ContractId {
  const argument = { requestCid, vote: { sv, accept, reason: why, optCastAt: null } };
  const as = network.asSv(sv);
  return network.sandbox.exercise(DsoRules, network.dsoRules, "DsoRules_CastVote", argument, as).voteRequest;
}

function close(network: DsoFixture, requestCid: ContractId, sv?: PartyId) {
  const argument = { requestCid, amuletRulesCid: network.amuletRules };
  return network.bySv("DsoRules_CloseVoteRequest", argument, sv);
}

describe("a request for a vote", () => {
  test("carries the requester's own vote, and lasts seven days", () => {
    const network = new DsoFixture();
    const { now } = network.sandbox;
    const cid = request(network);
    expect(network.sandbox.payloadOf(VoteRequest, cid)).toEqual({
      dso: network.dso,
      requester: "SV-1",
      action,
      reason,
      voteBefore: addDuration(now, 7n * DAY),
      votes: [
        [
          "SV-1",
          {
            sv: network.sv(0),
            accept: true,
            reason: { url: "", body: "I accept, as I requested the vote." },
            optCastAt: now,
          },
        ],
      ],
      trackingCid: null,
      targetEffectiveAt: null,
    });
  });

  test("lasts as long as it says, which is some time", () => {
    const network = new DsoFixture();
    expectUnmet("There is some time to vote", () => request(network, { voteRequestTimeout: relTime(0n) }));
    const cid = request(network, { voteRequestTimeout: relTime(1n) });
    const { voteBefore } = network.sandbox.payloadOf(VoteRequest, cid);
    expect(voteBefore).toBe(addDuration(network.sandbox.now, 1n));
  });

  test("takes effect at the end of the vote or later", () => {
    const network = new DsoFixture();
    const voteBefore = addDuration(network.sandbox.now, 7n * DAY);
    const tooEarly = addDuration(voteBefore, -MICROSECOND);
    const { context } = rejectionOf(() => request(network, { targetEffectiveAt: tooEarly }));
    expect(context["error_id"]).toBe(PRECONDITION_FAILED);
    expect(request(network, { targetEffectiveAt: voteBefore })).toMatch(/^00/);
  });

  test("has a short reason, counted in characters and not in what they are made of", () => {
    const network = new DsoFixture();
    request(network, { reason: { url: "u".repeat(1024), body: "😀".repeat(1024) } });
    const long = "x".repeat(1025);
    expectUnmet("Reason URL is not too long", () => request(network, { reason: { ...reason, url: long } }));
    expectUnmet("Reason body is not too long", () => request(network, { reason: { ...reason, body: long } }));
  });

  test("is made by an SV, for itself", () => {
    const network = new DsoFixture();
    const { cause } = rejectionOf(() => request(network, { requester: alice }));
    expect(cause).toMatch(/: Requester is not an SV$/);
    expectUnauthorized(() => request(network, {}, network.sv(1)));
  });
});

describe("a vote", () => {
  test("is added to those of the others, dated, and the request keeps its first id", () => {
    const network = new DsoFixture();
    const first = request(network);
    network.sandbox.advance(MINUTE);
    const second = cast(network, first, network.sv(2), false);
    const third = cast(network, second, network.sv(1), true);
    const { votes, trackingCid } = network.only(VoteRequest).payload;
    expect(network.only(VoteRequest).contractId).toBe(third);
    expect(trackingCid).toBe(first);
    expect(votes.map(([name, { accept }]) => [name, accept])).toEqual([
      ["SV-1", true],
      ["SV-2", true],
      ["SV-3", false],
    ]);
    expect(votes[1]?.[1].optCastAt).toBe(network.sandbox.now);
  });

  test("can be changed after a minute", () => {
    const network = new DsoFixture();
    const [sv1, sv2] = [network.sv(0), network.sv(1)];
    const first = cast(network, request(network), sv2, false);
    expectTooEarly(`voteCooldownTime for ${sv2}`, () => cast(network, first, sv2, true));
    expectTooEarly(`voteCooldownTime for ${sv1}`, () => cast(network, first, sv1, false));
    network.sandbox.advance(MINUTE - MICROSECOND);
    expectTooEarly(`voteCooldownTime for ${sv2}`, () => cast(network, first, sv2, true));
    network.sandbox.advance(MICROSECOND);
    cast(network, cast(network, first, sv2, true), sv1, false);
    const { votes } = network.only(VoteRequest).payload;
    expect(votes.map(([name, { accept }]) => [name, accept])).toEqual([
      ["SV-1", false],
      ["SV-2", true],
    ]);
  });

  test("is cast by an SV, on a request of this DSO that is still there, with a short reason", () => {
    const network = new DsoFixture();
    const cid = request(network);
    const sv = network.sv(1);
    expect(rejectionOf(() => cast(network, cid, alice, true)).cause).toMatch(/: Voter is not an SV$/);
    const long = { url: "", body: "x".repeat(1025) };
    expectUnmet("Reason body is not too long", () => cast(network, cid, sv, true, long));
    const payload = { ...network.sandbox.payloadOf(VoteRequest, cid), dso: sv };
    const forged = network.sandbox.create(VoteRequest, payload, { actAs: [sv] });
    expectOtherGroup("VoteRequest", () => cast(network, forged, sv, true));
    cast(network, cid, sv, true);
    expectNotFound(() => cast(network, cid, network.sv(2), true));
  });
});

/** SVs 2 to 4 vote as told, if they do; the first one is for it. */
function voted(
  network: DsoFixture,
  votes: readonly (boolean | null)[],
  given: Partial<Requesting> = {},
): ContractId {
  return votes.reduce(
    (cid, accept, i) => (accept === null ? cid : cast(network, cid, network.sv(i + 1), accept)),
    request(network, given),
  );
}

describe("closing a vote without a date", () => {
  test("has the action done as soon as three of four are for it", () => {
    const network = new DsoFixture();
    const cid = voted(network, [true, null, true]);
    const { payload: request } = network.only(VoteRequest);
    const { now } = network.sandbox;
    expect(close(network, cid, network.sv(3))).toEqual({
      request,
      completedAt: now,
      offboardedVoters: [],
      abstainingSvs: ["SV-3"],
      outcome: { tag: "VRO_Accepted", value: { effectiveAt: now } },
    });
    expect(network.only(FeaturedAppRight).payload.provider).toBe(alice);
    expect(network.sandbox.active(VoteRequest)).toEqual([]);
    expectNotFound(() => close(network, cid));
  });

  test("is too early while two are for it; at the end it expires", () => {
    const network = new DsoFixture();
    const cid = voted(network, [true, false, null]);
    const { voteBefore } = network.only(VoteRequest).payload;
    network.sandbox.now = addDuration(voteBefore, -MICROSECOND);
    const { cause } = rejectionOf(() => close(network, cid));
    expect(cause).toMatch(/: no definite outcome for voting request without effectivity$/);
    network.sandbox.now = voteBefore;
    expect(close(network, cid).outcome).toEqual({ tag: "VRO_Expired", value: {} });
    expect(network.sandbox.active(FeaturedAppRight)).toEqual([]);
  });

  test("rejects it as soon as three are against it", () => {
    const network = new DsoFixture();
    expect(close(network, voted(network, [false, false, false])).outcome).toEqual({
      tag: "VRO_Rejected",
      value: {},
    });
  });

  test("does not count offboarded voters, and lists them", () => {
    const network = new DsoFixture();
    const cid = voted(network, [true, true, null]);
    network.offboardSv(network.sv(1));
    // Of three SVs, two are needed.
    const closed = close(network, cid);
    expect(closed.offboardedVoters).toEqual(["SV-2"]);
    expect(closed.abstainingSvs).toEqual(["SV-4"]);
    expect(closed.outcome.tag).toBe("VRO_Accepted");
  });

  test.each([true, false])("is not decided by who left, however they voted: %s", (accept) => {
    const network = new DsoFixture();
    // The first one is for it. Of the three SVs that stay two are needed, so that the one who leaves would decide.
    const cid = voted(network, [accept, false, null]);
    network.offboardSv(network.sv(1));
    expect(rejectionOf(() => close(network, cid)).cause).toContain("no definite outcome");
    network.sandbox.now = network.only(VoteRequest).payload.voteBefore;
    expect(close(network, cid).outcome.tag).toBe("VRO_Expired");
  });

  test("fails for an action that means nothing", () => {
    const network = new DsoFixture();
    const empty = { tag: "ExtActionRequiringConformation", value: { dummyUnitField: {} } } as const;
    const cid = voted(network, [true, true, true], { action: empty });
    const { cause } = rejectionOf(() => close(network, cid));
    expect(cause).toMatch(/: Encountered unexpected ExtActionRequiringConformation at runtime$/);
  });
});

describe("closing a vote with a date", () => {
  function dated(votes: readonly (boolean | null)[]) {
    const network = new DsoFixture();
    const targetEffectiveAt = addDuration(network.sandbox.now, 9n * DAY);
    const cid = voted(network, votes, { targetEffectiveAt });
    return { network, cid, voteBefore: network.only(VoteRequest).payload.voteBefore, targetEffectiveAt };
  }

  test("waits for the date even if all are for it", () => {
    const { network, cid, targetEffectiveAt } = dated([true, true, true]);
    network.sandbox.now = addDuration(targetEffectiveAt, -MICROSECOND);
    const { cause } = rejectionOf(() => close(network, cid));
    expect(cause).toMatch(/: no definitive outcome for voting request with effectivity$/);
    network.sandbox.now = addDuration(targetEffectiveAt, MINUTE);
    const { outcome } = close(network, cid);
    expect(outcome).toEqual({ tag: "VRO_Accepted", value: { effectiveAt: targetEffectiveAt } });
    expect(network.only(FeaturedAppRight).payload.provider).toBe(alice);
  });

  test("rejects at once what three are against, and on its date what is not for sure", () => {
    const against = dated([false, false, false]);
    expect(close(against.network, against.cid).outcome.tag).toBe("VRO_Rejected");
    const split = dated([true, false, false]);
    split.network.sandbox.now = split.targetEffectiveAt;
    expect(close(split.network, split.cid).outcome.tag).toBe("VRO_Rejected");
    expect(split.network.sandbox.active(FeaturedAppRight)).toEqual([]);
  });

  test("lets it expire at the end of the voting period if fewer than three have voted", () => {
    const { network, cid, voteBefore } = dated([true, null, null]);
    network.sandbox.now = addDuration(voteBefore, -MICROSECOND);
    expect(rejectionOf(() => close(network, cid)).cause).toContain("no definitive outcome");
    network.sandbox.now = voteBefore;
    expect(close(network, cid).outcome.tag).toBe("VRO_Expired");
  });

  test.each([
    ["VRO_Accepted", [true, true, null]],
    ["VRO_Rejected", [true, false, null]],
  ])("keeps it open until its date if three have voted, and then it is %s", (tag, votes) => {
    const { network, cid, voteBefore, targetEffectiveAt } = dated(votes);
    network.sandbox.now = voteBefore;
    expect(rejectionOf(() => close(network, cid)).cause).toContain("no definitive outcome");
    network.sandbox.now = targetEffectiveAt;
    expect(close(network, cid).outcome.tag).toBe(tag);
  });
});
