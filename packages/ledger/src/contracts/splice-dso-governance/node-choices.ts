/** Each SV's reports about its own nodes: their configuration, within limits, and that they are alive. */
import { abort, requireThat } from "../../engine/failure.ts";
import type { SomeChoiceRules } from "../../engine/template.ts";
import { int64 } from "../../values/int64.ts";
import { codePointLength } from "../../values/text.ts";
import { fetchAndArchive } from "../checks/checked-fetch.ts";
import { forSvNode } from "../checks/contract-group.ts";
import type { DsoRules } from "./declarations/dso-rules.ts";
import { SvNodeState, SvStatusReport } from "./declarations/sv-state.ts";
import type { CometBftConfig, CometBftConfigLimits } from "./declarations/synchronizer-config.ts";
import { withKey } from "./keyed-map.ts";
import { svInfo } from "./members.ts";

export const nodeChoices = {
  DsoRules_SetSynchronizerNodeConfig: {
    controllers: (_rules, { sv }) => [sv],
    exercise: ({ update, contract: rules, argument }) => {
      const { dso, config } = rules;
      const { sv, synchronizerId, newNodeConfig, nodeStateCid } = argument;
      const isKnown = config.decentralizedSynchronizer.synchronizers.some(([id]) => id === synchronizerId);
      requireThat("Synchronizer with this id is configured", isKnown);
      const { cometBft } = newNodeConfig;
      requireThat("Valid configuration", isWithin(config.synchronizerNodeConfigLimits.cometBft, cometBft));
      // On a network for development, nodes that are likely to stay count more than those that are tried out.
      if (!rules.isDevNet) requireThat("CometBft voting power <= 1", votingPower(cometBft) <= 1n);
      const { name: svName } = svInfo(rules, sv) ?? abort("Not a sv");
      const before = fetchAndArchive(update, SvNodeState, nodeStateCid, forSvNode({ dso, sv, svName }));
      const synchronizerNodes = withKey(before.state.synchronizerNodes, synchronizerId, newNodeConfig);
      return { svNodeState: update.create(SvNodeState, { ...before, state: { synchronizerNodes } }) };
    },
  },
  DsoRules_SubmitStatusReport: {
    controllers: (_rules, { sv }) => [sv],
    exercise: ({ update, contract: rules, argument: { sv, previousReportCid, status } }) => {
      const { dso } = rules;
      const { name: svName } = svInfo(rules, sv) ?? abort("SV is not an SV");
      const group = forSvNode({ dso, sv, svName });
      const previous = fetchAndArchive(update, SvStatusReport, previousReportCid, group);
      const report = { dso, sv, svName, number: int64(previous.number + 1n), status };
      return { newReport: update.create(SvStatusReport, report) };
    },
  },
} satisfies SomeChoiceRules<typeof DsoRules>;

function isWithin(limits: CometBftConfigLimits, config: CometBftConfig): boolean {
  const { maxNodeIdLength, maxPubKeyLength } = limits;
  return (
    config.nodes.every(
      ([nodeId, { votingPower: power, validatorPubKey }]) =>
        codePointLength(nodeId) <= maxNodeIdLength &&
        power >= 0n &&
        codePointLength(validatorPubKey) <= maxPubKeyLength,
    ) &&
    BigInt(config.nodes.length) <= limits.maxNumCometBftNodes &&
    BigInt(config.governanceKeys.length) <= limits.maxNumGovernanceKeys &&
    BigInt(config.sequencingKeys.length) <= limits.maxNumSequencingKeys &&
    [...config.governanceKeys, ...config.sequencingKeys].every(
      ({ pubKey }) => codePointLength(pubKey) <= maxPubKeyLength,
    )
  );
}

function votingPower({ nodes }: CometBftConfig): bigint {
  return nodes.reduce((total, [, node]) => int64(total + node.votingPower), 0n);
}
