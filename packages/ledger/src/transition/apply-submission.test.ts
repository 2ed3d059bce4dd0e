import { describe, expect, test } from "vitest";
import { type SimulatedMember, SimulatedNetwork, type Submission } from "../../testing/simulated-network.ts";
import { anyCommand, causeOf, resultOf } from "../../testing/transition-fixture.ts";
import { RenewalPreference } from "../contracts/callsign-names/declarations/names.ts";
import { AnsRules } from "../contracts/splice-amulet-name-service/declarations/ans.ts";
import { type Command, exerciseCommand } from "../engine/command.ts";
import { SECOND } from "../values/duration.ts";
import { type PartyId, partyHint } from "../values/party-id.ts";
import { addDuration } from "../values/time.ts";

const notHosted = "NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT";

function setUp() {
  const network = new SimulatedNetwork();
  const alice = network.registerMember("alice");
  const bob = network.registerMember("bob");
  return { network, alice, bob, sv: network.svs[1] as SimulatedMember };
}

/** A request for a name: anybody may make one who sees AnsRules, which only the DSO does. */
function requestEntry(network: SimulatedNetwork, user: PartyId): Command {
  return exerciseCommand(AnsRules, network.only(AnsRules).contractId, "AnsRules_RequestEntry", {
    name: `${partyHint(user)}.unverified.cns`,
    url: "",
    description: "",
    user,
  });
}

describe("an accepted submission", () => {
  test("creates what its commands say, at the record time, and completes", () => {
    const { network, alice } = setUp();
    const outcome = network.submit(alice, {
      actAs: [alice.party],
      commands: [anyCommand(alice.party)],
      userId: "operator",
      commandId: "set-preference",
      submissionId: "s-1",
    });
    expect(resultOf(outcome)).toBe("accepted");
    expect(outcome.created.map(({ contract }) => contract.templateId)).toEqual([RenewalPreference.id]);
    expect(outcome.created[0]?.contract.createdAt).toBe(outcome.head.recordTime);
    expect(outcome.completion).toEqual({
      member: alice.id,
      userId: "operator",
      commandId: "set-preference",
      submissionId: "s-1",
      actAs: [alice.party],
    });
  });

  test("archives the contracts it consumes; a second submission finds them archived", () => {
    const { network, alice } = setUp();
    const [created] = network.submit(alice, {
      actAs: [alice.party],
      commands: [anyCommand(alice.party)],
    }).created;
    const contractId = created?.contract.contractId;
    if (contractId === undefined) throw new Error("nothing was created");
    const remove = exerciseCommand(RenewalPreference, contractId, "RenewalPreference_Remove", {});
    const first = network.submit(alice, { actAs: [alice.party], commands: [remove] });
    expect(first.archived.map((node) => node.contractId)).toEqual([contractId]);
    expect(network.state.findContract(contractId)).toBeUndefined();
    const second = network.submit(alice, { actAs: [alice.party], commands: [remove] });
    expect(resultOf(second)).toBe("LOCAL_VERDICT_INACTIVE_CONTRACTS");
    expect(second.completion).not.toBeNull();
  });

  test("of the same commands creates different contracts each time", () => {
    const { network, alice } = setUp();
    const submission = { actAs: [alice.party], commands: [anyCommand(alice.party)] };
    const ids = [1, 2].map(() => network.submit(alice, submission).created[0]?.contract.contractId);
    expect(ids[0]).not.toBe(ids[1]);
  });
});

describe("a member submits", () => {
  type Parties = ReturnType<typeof setUp> & { readonly dso: PartyId };
  const table: readonly [string, (given: Parties) => [SimulatedMember, Partial<Submission>], string][] = [
    ["as its own party", ({ alice }) => [alice, { actAs: [alice.party] }], "accepted"],
    ["as another member's party", ({ alice, bob }) => [alice, { actAs: [bob.party] }], notHosted],
    ["as its own and another's", ({ alice, bob }) => [alice, { actAs: [alice.party, bob.party] }], notHosted],
    [
      "reading as another's",
      ({ alice, bob }) => [alice, { actAs: [alice.party], readAs: [bob.party] }],
      notHosted,
    ],
    [
      "as a party nobody hosts",
      ({ alice }) => [alice, { actAs: ["x::1220" as PartyId] }],
      "UNKNOWN_SUBMITTERS",
    ],
    [
      "reading as a party nobody hosts",
      ({ alice }) => [alice, { actAs: [alice.party], readAs: ["x::1220" as PartyId] }],
      "UNKNOWN_SUBMITTERS",
    ],
    ["as the DSO", ({ alice, dso }) => [alice, { actAs: [dso] }], notHosted],
    ["as the DSO too", ({ alice, dso }) => [alice, { actAs: [alice.party, dso] }], notHosted],
    ["reading as the DSO", ({ alice, dso }) => [alice, { actAs: [alice.party], readAs: [dso] }], notHosted],
    ["as the DSO, being an SV", ({ sv, dso }) => [sv, { actAs: [dso] }], notHosted],
    ["as the DSO too, being an SV", ({ sv, dso }) => [sv, { actAs: [sv.party, dso] }], notHosted],
    [
      "reading as the DSO, being an SV",
      ({ sv, dso }) => [sv, { actAs: [sv.party], readAs: [dso] }],
      "accepted",
    ],
    ["as another SV", ({ sv, network }) => [sv, { actAs: [network.svs[0]?.party as PartyId] }], notHosted],
    ["as nobody", ({ alice }) => [alice, { actAs: [] }], "INVALID_ARGUMENT"],
    ["reading only", ({ alice }) => [alice, { actAs: [], readAs: [alice.party] }], "INVALID_ARGUMENT"],
    [
      "as 200 parties",
      ({ alice }) => [alice, { actAs: Array.from({ length: 200 }, () => alice.party) }],
      "accepted",
    ],
    [
      "as and reading as more than 200 parties",
      ({ alice }) => [
        alice,
        { actAs: [alice.party], readAs: Array.from({ length: 200 }, () => alice.party) },
      ],
      "INVALID_ARGUMENT",
    ],
  ];
  test.each(table)("%s", (_case, given, expected) => {
    const parties = setUp();
    const [member, submission] = given({ ...parties, dso: parties.network.dso });
    const outcome = parties.network.submit(member, {
      actAs: [],
      commands: [anyCommand(member.party)],
      ...submission,
    });
    expect(resultOf(outcome)).toBe(expected);
    expect(outcome.completion).not.toBeNull();
  });

  test("a refusal names the party and the member", () => {
    const { network, alice, bob } = setUp();
    const outcome = network.submit(alice, { actAs: [bob.party], commands: [anyCommand(bob.party)] });
    expect(causeOf(outcome)).toBe(`Member ${alice.id} may not submit for ${bob.party}`);
  });
});

describe("a contract that only the DSO sees", () => {
  test("is usable for an SV that reads as the DSO, and only then", () => {
    const { network, sv } = setUp();
    const commands = [requestEntry(network, sv.party)];
    const blind = network.submit(sv, { actAs: [sv.party], commands });
    expect(resultOf(blind)).toBe("LOCAL_VERDICT_INACTIVE_CONTRACTS");
    expect(resultOf(network.submit(sv, { actAs: [sv.party], readAs: [network.dso], commands }))).toBe(
      "accepted",
    );
  });

  test("is usable for others if it was disclosed to them", () => {
    const { network, alice } = setUp();
    const commands = [requestEntry(network, alice.party)];
    const disclose = [network.only(AnsRules).contractId];
    expect(resultOf(network.submit(alice, { actAs: [alice.party], commands }))).toBe(
      "LOCAL_VERDICT_INACTIVE_CONTRACTS",
    );
    expect(resultOf(network.submit(alice, { actAs: [alice.party], commands, disclose }))).toBe("accepted");
  });
});

describe("everybody whom a transaction concerns", () => {
  test("must be a hosted party", () => {
    const { network, alice } = setUp();
    const nobody = "nobody::1220" as PartyId;
    const outcome = network.submit(alice, {
      actAs: [alice.party],
      commands: [anyCommand(alice.party, nobody)],
    });
    expect(resultOf(outcome)).toBe("UNKNOWN_INFORMEES");
    expect(causeOf(outcome)).toContain(nobody);
    expect(outcome.created).toEqual([]);
  });

  test("may be another member's party", () => {
    const { network, alice, bob } = setUp();
    const commands = [anyCommand(alice.party, bob.party)];
    expect(resultOf(network.submit(alice, { actAs: [alice.party], commands }))).toBe("accepted");
  });
});

describe("a submission with an earliest time", () => {
  test.each([
    ["at that time", 0n, "accepted"],
    ["a microsecond before it", 1n, "LEDGER_TIME_OUTSIDE_BOUNDS"],
  ])("arriving %s", (_case, ahead, expected) => {
    const { network, alice } = setUp();
    network.clock = addDuration(network.clock, SECOND);
    const minLedgerTime = addDuration(network.clock, ahead);
    const submission = { actAs: [alice.party], commands: [anyCommand(alice.party)], minLedgerTime };
    expect(resultOf(network.submit(alice, submission))).toBe(expected);
  });
});
