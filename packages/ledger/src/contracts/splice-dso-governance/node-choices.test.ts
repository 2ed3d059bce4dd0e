import { describe, expect, test } from "vitest";
import { DsoFixture, type Founding } from "../../../testing/dso-fixture.ts";
import {
  expectOtherGroup,
  expectUnauthorized,
  expectUnmet,
  rejectionOf,
} from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import type { ContractId } from "../../values/contract-id.ts";
import type { PartyId } from "../../values/party-id.ts";
import { DsoRules } from "./declarations/dso-rules.ts";
import { SvNodeState, SvStatusReport } from "./declarations/sv-state.ts";
import type { CometBftConfig } from "./declarations/synchronizer-config.ts";

const outsider = testParty("outsider");
const KNOWN = "global::1220ab";
const nothing: CometBftConfig = { nodes: [], governanceKeys: [], sequencingKeys: [] };
const key = (length: number) => ({ pubKey: "é".repeat(length) });
const node = (id: number, pubKey: number, votingPower = 1n) =>
  ["n".repeat(id), { validatorPubKey: "k".repeat(pubKey), votingPower }] as const;

function setting(founding: Founding = {}) {
  const network = new DsoFixture(founding);
  const { sandbox } = network;
  const nodeStateOf = (sv: PartyId) =>
    sandbox.active(SvNodeState).find(({ payload }) => payload.sv === sv)?.contractId ??
    expect.fail("no state");
  const configure = (
    cometBft: CometBftConfig,
    given: {
      sv?: PartyId;
      synchronizerId?: string;
      url?: string;
      nodeStateCid?: ContractId;
      as?: PartyId;
    } = {},
  ) => {
    const sv = given.sv ?? network.sv(0);
    const argument = {
      sv,
      synchronizerId: given.synchronizerId ?? KNOWN,
      newNodeConfig: {
        cometBft,
        sequencer: null,
        mediator: null,
        scan: given.url === undefined ? null : { publicUrl: given.url },
        legacySequencerConfig: null,
        sequencerIdentity: null,
        physicalSynchronizers: null,
      },
      nodeStateCid: given.nodeStateCid ?? nodeStateOf(sv),
    };
    const choice = "DsoRules_SetSynchronizerNodeConfig";
    const as = network.asSv(given.as ?? sv);
    return sandbox.exercise(DsoRules, network.dsoRules, choice, argument, as).svNodeState;
  };
  return { network, sandbox, nodeStateOf, configure };
}

describe("an SV configures its node", () => {
  test("a new configuration replaces the earlier one", () => {
    const { network, sandbox, configure } = setting();
    configure(nothing, { url: "https://old.example" });
    const cid = configure(nothing, { url: "https://scan.example" });
    const { state, ...whose } = sandbox.payloadOf(SvNodeState, cid);
    expect(whose).toEqual({ dso: network.dso, sv: network.sv(0), svName: "SV-1" });
    expect(state.synchronizerNodes.map(([id, { scan }]) => [id, scan])).toEqual([
      [KNOWN, { publicUrl: "https://scan.example" }],
    ]);
    expect(sandbox.active(SvNodeState)).toHaveLength(4);
  });

  test("only on a synchronizer that the SVs know, only its own, and only as an SV", () => {
    const { network, nodeStateOf, configure } = setting();
    expectUnmet("Synchronizer with this id is configured", () =>
      configure(nothing, { synchronizerId: "other::1220ab" }),
    );
    const nodeStateCid = nodeStateOf(network.sv(1));
    expectOtherGroup("SvNodeState", () => configure(nothing, { nodeStateCid }));
    expect(rejectionOf(() => configure(nothing, { sv: outsider, nodeStateCid })).cause).toContain("Not a sv");
    expectUnauthorized(() => configure(nothing, { as: network.sv(1) }));
  });

  test.each<[string, CometBftConfig, CometBftConfig]>([
    [
      "nodes",
      { ...nothing, nodes: [node(1, 1), node(2, 1)] },
      { ...nothing, nodes: [node(1, 1), node(2, 1), node(3, 1)] },
    ],
    ["a node's id", { ...nothing, nodes: [node(50, 1)] }, { ...nothing, nodes: [node(51, 1)] }],
    ["a node's key", { ...nothing, nodes: [node(1, 256)] }, { ...nothing, nodes: [node(1, 257)] }],
    ["a node's power", { ...nothing, nodes: [node(1, 1, 0n)] }, { ...nothing, nodes: [node(1, 1, -1n)] }],
    [
      "governance keys",
      { ...nothing, governanceKeys: [key(256), key(1)] },
      { ...nothing, governanceKeys: [key(1), key(1), key(1)] },
    ],
    [
      "a governance key",
      { ...nothing, governanceKeys: [key(256)] },
      { ...nothing, governanceKeys: [key(257)] },
    ],
    [
      "sequencing keys",
      { ...nothing, sequencingKeys: [key(256), key(1)] },
      { ...nothing, sequencingKeys: [key(1), key(1), key(1)] },
    ],
    [
      "a sequencing key",
      { ...nothing, sequencingKeys: [key(256)] },
      { ...nothing, sequencingKeys: [key(257)] },
    ],
  ])("within the limits of %s", (_what, within, beyond) => {
    const { configure } = setting();
    expect(configure(within)).toBeTypeOf("string");
    expectUnmet("Valid configuration", () => configure(beyond));
  });

  test("with one vote, unless the network is for development", () => {
    const two = { ...nothing, nodes: [node(1, 1), node(2, 1)] };
    const main = setting({ isDevNet: false });
    expectUnmet("CometBft voting power <= 1", () => main.configure(two));
    main.configure({ ...nothing, nodes: [node(1, 1), node(2, 1, 0n)] });
    setting({ isDevNet: true }).configure(two);
  });
});

test("an SV reports on itself, and its reports are counted", () => {
  const { network, sandbox } = setting();
  const { now } = sandbox;
  const [first, second] = [network.sv(0), network.sv(1)];
  const reportOf = (sv: PartyId) =>
    sandbox.active(SvStatusReport).find(({ payload }) => payload.sv === sv) ?? expect.fail("no report");
  const status = {
    createdAt: now,
    cometBftHeight: 12n,
    mediatorSynchronizerTime: now,
    participantSynchronizerTime: now,
    latestOpenRound: { number: 2n },
  };
  const report = (sv: PartyId, previousReportCid: ContractId, as: PartyId = sv) => {
    const argument = { sv, previousReportCid, status };
    const choice = "DsoRules_SubmitStatusReport";
    return sandbox.exercise(DsoRules, network.dsoRules, choice, argument, network.asSv(as)).newReport;
  };
  const cid = report(first, report(first, reportOf(first).contractId));
  const whose = { dso: network.dso, sv: first, svName: "SV-1" };
  expect(sandbox.payloadOf(SvStatusReport, cid)).toEqual({ ...whose, number: 2n, status });
  expectOtherGroup("SvStatusReport", () => report(first, reportOf(second).contractId));
  expectUnauthorized(() => report(first, cid, second));
  expect(rejectionOf(() => report(outsider, cid)).cause).toContain("SV is not an SV");
});
