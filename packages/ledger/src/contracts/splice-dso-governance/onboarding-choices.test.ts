import { describe, expect, test } from "vitest";
import { DsoFixture, type Founding } from "../../../testing/dso-fixture.ts";
import {
  expectNotFound,
  expectOtherGroup,
  expectTooLate,
  expectUnauthorized,
  expectUnmet,
} from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { HOUR, MICROSECOND } from "../../values/duration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration } from "../../values/time.ts";
import { DsoRules } from "./declarations/dso-rules.ts";
import { SvOnboardingConfirmed, SvOnboardingRequest } from "./declarations/sv-onboarding.ts";
import { SvRewardState } from "./declarations/sv-state.ts";

const candidate = testParty("candidate");
const outsider = testParty("outsider");

function start(network: DsoFixture, sponsor: PartyId = network.sv(1)): ContractId {
  const argument = {
    candidateName: "Candidate",
    candidateParty: candidate,
    candidateParticipantId: "PAR::candidate",
    token: "a token",
    sponsor,
  };
  const as = network.asSv(sponsor);
  return network.sandbox.exercise(DsoRules, network.dsoRules, "DsoRules_StartSvOnboarding", argument, as)
    .onboardingRequest;
}

const confirmation = {
  newSvParty: candidate,
  newSvName: "Candidate",
  newParticipantId: "PAR::candidate",
  newSvRewardWeight: 5n,
  reason: "well known",
} as const;

function confirmed(founding: Founding = {}, given: Partial<typeof confirmation> = {}) {
  const network = new DsoFixture(founding);
  const value = { ...confirmation, ...given };
  network.agree({
    tag: "ARC_DsoRules",
    value: { dsoAction: { tag: "SRARC_ConfirmSvOnboarding", value } },
  });
  return { network, sandbox: network.sandbox, cid: network.only(SvOnboardingConfirmed).contractId };
}

function join(
  network: DsoFixture,
  cid: ContractId,
  given: { rounds?: readonly bigint[]; as?: PartyId } = {},
) {
  const [earliest = 0n, middle = 0n, latest = 0n] = given.rounds ?? [0n, 1n, 2n];
  const sv = given.as ?? candidate;
  const argument = {
    sv,
    svOnboardingConfirmedCid: cid,
    earliestRoundCid: network.openRound(earliest).contractId,
    middleRoundCid: network.openRound(middle).contractId,
    latestRoundCid: network.openRound(latest).contractId,
    amuletRulesCid: network.amuletRules,
  };
  const as = network.asSv(sv);
  return network.sandbox.exercise(DsoRules, network.dsoRules, "DsoRules_AddConfirmedSv", argument, as)
    .newDsoRules;
}

describe("a request", () => {
  test("is made by an SV, is seen by the candidate, and lapses after an hour", () => {
    const network = new DsoFixture();
    const { sandbox, dso } = network;
    expectUnmet("Sponsor is an SV", () => start(network, outsider));
    const cid = start(network);
    const expiresAt = addDuration(sandbox.now, HOUR);
    expect(sandbox.payloadOf(SvOnboardingRequest, cid)).toEqual({
      candidateName: "Candidate",
      candidateParty: candidate,
      candidateParticipantId: "PAR::candidate",
      token: "a token",
      sponsor: network.sv(1),
      dso,
      expiresAt,
    });
    const node = sandbox.lastTransaction?.nodes.at(-1);
    expect(node).toMatchObject({ signatories: [dso], observers: [candidate] });
    const expire = (sv?: PartyId) => network.bySv("DsoRules_ExpireSvOnboardingRequest", { cid }, sv);
    sandbox.now = addDuration(expiresAt, -MICROSECOND);
    expectUnmet("Onboarding has expired", expire);
    sandbox.now = expiresAt;
    expectUnmet("SV party is an actual SV", () => expire(outsider));
    expire(network.sv(3));
    expectNotFound(expire);
  });

  test("is archived once its candidate is an SV, under the name it was made for", () => {
    const network = new DsoFixture();
    const svOnboardingRequestCid = start(network);
    const archive = () => network.bySv("DsoRules_ArchiveSvOnboardingRequest", { svOnboardingRequestCid });
    expectUnmet("SV party is an SV", archive);
    network.addSv(candidate, "Another");
    expectUnmet("SV name matches", archive);
    const other = new DsoFixture();
    const request = start(other);
    other.addSv(candidate, "Candidate");
    other.bySv("DsoRules_ArchiveSvOnboardingRequest", { svOnboardingRequestCid: request });
    expect(other.sandbox.active(SvOnboardingRequest)).toEqual([]);
  });
});

describe("a candidate that a quorum confirmed", () => {
  test("joins as of the oldest open round, with the weight it was given", () => {
    const { network, sandbox, cid } = confirmed();
    expect(sandbox.payloadOf(SvOnboardingConfirmed, cid)).toEqual({
      svParty: candidate,
      svName: "Candidate",
      svRewardWeight: 5n,
      svParticipantId: "PAR::candidate",
      reason: "well known",
      dso: network.dso,
      expiresAt: addDuration(sandbox.now, HOUR),
    });
    const rules = join(network, cid);
    const { svs } = sandbox.payloadOf(DsoRules, rules);
    expect(svs.find(([sv]) => sv === candidate)?.[1]).toEqual({
      name: "Candidate",
      joinedAsOfRound: { number: 0n },
      svRewardWeight: 5n,
      participantId: "PAR::candidate",
    });
    const state = sandbox.active(SvRewardState).find(({ payload }) => payload.svName === "Candidate");
    expect(state?.payload.state.lastRoundCollected).toEqual({ number: -1n });
    expectNotFound(() => join(network, cid));
  });

  test("joins itself, within an hour, with three rounds in a row", () => {
    const { network, sandbox, cid } = confirmed();
    const end = addDuration(sandbox.now, HOUR);
    expectUnauthorized(() => {
      const argument = {
        sv: candidate,
        svOnboardingConfirmedCid: cid,
        earliestRoundCid: network.openRound(0n).contractId,
        middleRoundCid: network.openRound(1n).contractId,
        latestRoundCid: network.openRound(2n).contractId,
        amuletRulesCid: network.amuletRules,
      };
      const as = network.asSv();
      sandbox.exercise(DsoRules, network.dsoRules, "DsoRules_AddConfirmedSv", argument, as);
    });
    expectOtherGroup("SvOnboardingConfirmed", () => join(network, cid, { as: outsider }));
    const first = "middleRound is one after earliestRound";
    expectUnmet(first, () => join(network, cid, { rounds: [1n, 1n, 2n] }));
    expectUnmet("latestRound is one after middleRound", () => join(network, cid, { rounds: [0n, 1n, 1n] }));
    sandbox.now = end;
    expectTooLate("svOnboardingConfirmed.expiresAt", () => join(network, cid));
    sandbox.now = addDuration(end, -MICROSECOND);
    join(network, cid);
  });

  test("counts as offboarded if it never came", () => {
    const { network, sandbox, cid } = confirmed();
    const before = network.only(DsoRules).payload;
    const end = addDuration(sandbox.now, HOUR);
    const expire = (sv?: PartyId) => network.bySv("DsoRules_ExpireSvOnboardingConfirmed", { cid }, sv);
    sandbox.now = addDuration(end, -MICROSECOND);
    expectUnmet("SV candidate confirmation has expired", expire);
    sandbox.now = end;
    expectUnmet("SV party is an actual SV", () => expire(outsider));
    const { newDsoRules } = expire(network.sv(2));
    expect(sandbox.payloadOf(DsoRules, newDsoRules)).toEqual({
      ...before,
      offboardedSvs: [[candidate, { name: "Candidate", participantId: "PAR::candidate" }]],
    });
    expect(sandbox.active(SvOnboardingConfirmed)).toEqual([]);
    // Its party is used up.
    expectUnmet("SV party has not yet operated a node", () => network.addSv(candidate, "Candidate"));
  });
});

describe("a candidate is not confirmed", () => {
  test("by an SV alone", () => {
    const network = new DsoFixture();
    const choice = "DsoRules_ConfirmSvOnboarding";
    const as = network.asSv();
    expectUnauthorized(() => network.sandbox.exercise(DsoRules, network.dsoRules, choice, confirmation, as));
  });

  test("under a party that operates or operated a node", () => {
    const sv1 = testParty("sv1") as typeof candidate;
    expectUnmet("SV party has not yet operated a node", () => confirmed({}, { newSvParty: sv1 }));
  });

  test("under a name in use, unless the network is for development", () => {
    const taken = { newSvName: "SV-1" as "Candidate" };
    const label = "SV name is expected to be new unless in devnet";
    expectUnmet(label, () => confirmed({ isDevNet: false }, taken));
    const { network, cid } = confirmed({ isDevNet: true }, taken);
    join(network, cid);
    const { svs, offboardedSvs } = network.only(DsoRules).payload;
    expect(svs.find(([, { name }]) => name === "SV-1")?.[0]).toBe(candidate);
    expect(offboardedSvs.map(([sv]) => sv)).toEqual([network.sv(0)]);
  });
});
