import { expect, test } from "vitest";
import { DsoFixture, ENTRY_LIFETIME, RENEWAL_DURATION, TICK } from "../../../testing/dso-fixture.ts";
import { expectUnauthorized } from "../../../testing/rejection.ts";
import { Sandbox, testParty } from "../../../testing/sandbox.ts";
import { listArchived, listCreated } from "../../engine/transaction.ts";
import { decimal } from "../../values/decimal.ts";
import { MINUTE } from "../../values/duration.ts";
import { addDuration } from "../../values/time.ts";
import { relTime } from "../rel-time.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import { ExternalPartyAmuletRules } from "../splice-amulet/declarations/external-party-amulet-rules.ts";
import { ExternalPartyConfigState } from "../splice-amulet/declarations/external-party-config-state.ts";
import { defaultAmuletConfig } from "../splice-amulet/rules/default-amulet-config.ts";
import { AnsRules } from "../splice-amulet-name-service/declarations/ans.ts";
import { DsoBootstrap, DsoRules } from "./declarations/dso-rules.ts";
import { AmuletPriceVote, SvNodeState, SvRewardState, SvStatusReport } from "./declarations/sv-state.ts";
import { defaultDsoConfig } from "./default-dso-config.ts";

const dso = testParty("DSO");
const sv = testParty("sv1");
const nodes = [
  [
    "global::1220ab",
    {
      cometBft: { nodes: [], governanceKeys: [], sequencingKeys: [] },
      sequencer: null,
      mediator: null,
      scan: { publicUrl: "http://localhost:5012" },
      legacySequencerConfig: null,
      sequencerIdentity: null,
      physicalSynchronizers: null,
    },
  ],
] as const;

function prepare(sandbox: Sandbox, initialRound: bigint | null = null) {
  return sandbox.create(
    DsoBootstrap,
    {
      dso,
      sv1Party: sv,
      sv1Name: "Founder",
      sv1RewardWeight: 20_000n,
      sv1ParticipantId: "PAR::founder",
      sv1SynchronizerNodes: nodes,
      round0Duration: relTime(TICK),
      amuletConfig: defaultAmuletConfig("global::1220ab"),
      amuletPrice: decimal("0.3"),
      ansRulesConfig: {
        renewalDuration: relTime(RENEWAL_DURATION),
        entryLifetime: relTime(ENTRY_LIFETIME),
        entryFee: decimal("1.0"),
        descriptionPrefix: "ANS entry: ",
      },
      config: defaultDsoConfig("global::1220ab"),
      initialTrafficState: [["PAR::founder", { consumedTraffic: 12n }]],
      isDevNet: true,
      initialRound,
    },
    { actAs: [dso] },
  );
}

test("a network begins with its rules, three rounds, two configuration states and its first SV", () => {
  const sandbox = new Sandbox();
  const bootstrap = prepare(sandbox);
  const as = { actAs: [dso] };
  expect(sandbox.exercise(DsoBootstrap, bootstrap, "DsoBootstrap_Bootstrap", {}, as)).toEqual({});

  const transaction = sandbox.lastTransaction;
  expect(transaction && listArchived(transaction).map((node) => node.contractId)).toEqual([bootstrap]);
  expect(
    transaction && listCreated(transaction).map((node) => node.contract.templateId.split(":")[2]),
  ).toEqual([
    "AmuletRules",
    "ExternalPartyAmuletRules",
    "AnsRules",
    "OpenMiningRound",
    "OpenMiningRound",
    "OpenMiningRound",
    "ExternalPartyConfigState",
    "ExternalPartyConfigState",
    "DsoRules",
    "SvRewardState",
    "AmuletPriceVote",
    "SvStatusReport",
    "SvNodeState",
  ]);
  expect(sandbox.active(AmuletRules).map(({ payload }) => payload)).toEqual([
    {
      dso,
      configSchedule: { initialValue: defaultAmuletConfig("global::1220ab"), futureValues: [] },
      isDevNet: true,
      contractStateSchemaVersion: null,
    },
  ]);
  expect(sandbox.active(ExternalPartyAmuletRules).map(({ payload }) => payload)).toEqual([{ dso }]);
  expect(sandbox.active(AnsRules)[0]?.payload.config.entryFee).toBe(decimal("1.0"));
  expect(sandbox.active(DsoRules).map(({ payload }) => payload)).toEqual([
    {
      dso,
      epoch: 0n,
      svs: [
        [
          sv,
          {
            name: "Founder",
            joinedAsOfRound: { number: 0n },
            svRewardWeight: 20_000n,
            participantId: "PAR::founder",
          },
        ],
      ],
      offboardedSvs: [],
      dsoDelegate: sv,
      config: defaultDsoConfig("global::1220ab"),
      initialTrafficState: [["PAR::founder", { consumedTraffic: 12n }]],
      isDevNet: true,
    },
  ]);
});

test("the first SV has voted for the founding price, may change it at once, and describes its nodes", () => {
  const sandbox = new Sandbox();
  sandbox.exercise(DsoBootstrap, prepare(sandbox), "DsoBootstrap_Bootstrap", {}, { actAs: [dso] });
  expect(sandbox.active(AmuletPriceVote).map(({ payload }) => payload)).toEqual([
    { dso, sv, amuletPrice: decimal("0.3"), lastUpdatedAt: addDuration(sandbox.now, -MINUTE) },
  ]);
  expect(sandbox.active(SvStatusReport).map(({ payload }) => payload)).toEqual([
    { dso, sv, svName: "Founder", number: 0n, status: null },
  ]);
  expect(sandbox.active(SvNodeState).map(({ payload }) => payload)).toEqual([
    { dso, sv, svName: "Founder", state: { synchronizerNodes: nodes } },
  ]);
});

test.each([
  { initialRound: null, first: 0n },
  { initialRound: 0n, first: 0n },
  { initialRound: 28_000n, first: 28_000n },
])("rounds begin at $initialRound, and so does the first SV's membership", ({ initialRound, first }) => {
  const sandbox = new Sandbox();
  sandbox.exercise(
    DsoBootstrap,
    prepare(sandbox, initialRound),
    "DsoBootstrap_Bootstrap",
    {},
    { actAs: [dso] },
  );
  const [rules] = sandbox.active(DsoRules);
  expect(rules?.payload.svs[0]?.[1].joinedAsOfRound).toEqual({ number: first });
  const [reward] = sandbox.active(SvRewardState);
  expect(reward?.payload).toEqual({
    dso,
    svName: "Founder",
    state: {
      numRoundsMissed: 0n,
      numRoundsCollected: 0n,
      lastRoundCollected: { number: first - 1n },
      numCouponsIssued: 0n,
    },
  });
  const states = sandbox.active(ExternalPartyConfigState);
  expect(states.map(({ payload }) => payload.holdingFeesOpenRoundNumber.number)).toEqual([first, first]);
});

test("a network that begins at a later round goes on from there", () => {
  const network = new DsoFixture({ svCount: 1, initialRound: 28_000n });
  const numbers = () => network.openRounds().map(({ payload }) => payload.round.number);
  expect(numbers()).toEqual([28_000n, 28_001n, 28_002n]);
  network.advanceRounds();
  expect(numbers()).toEqual([28_001n, 28_002n, 28_003n]);
});

test("the first SV sees the founding, but only the DSO founds", () => {
  const sandbox = new Sandbox();
  const bootstrap = prepare(sandbox);
  expectUnauthorized(() =>
    sandbox.exercise(DsoBootstrap, bootstrap, "DsoBootstrap_Bootstrap", {}, { actAs: [sv] }),
  );
});
