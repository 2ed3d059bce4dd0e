/**
 * An SV's own entry in the network's directory: the URLs of its scan and its sequencer in its `SvNodeState`, by which
 * validators find them. It is written anew only where the ledger differs from the node.
 */
import { SvNodeState } from "@callsign/ledger";
import { textKey } from "../../kinds/keys.ts";
import { SV_NODES } from "../../kinds/subject.ts";
import { FEW } from "../../limits/limits.ts";
import { type Deciding, defineAutomation, type NodeAddresses } from "../dso-automation.ts";
import type { FoundContract } from "../ledger-facts.ts";

export const publishUrls = defineAutomation({
  name: "publish-urls",
  subjects: ["sv-nodes"],
  listPiles: () => [SV_NODES],
  decide: (deciding) => {
    const { rules, task } = deciding;
    const addresses = deciding.addresses();
    const state = findNodeState(deciding);
    if (addresses === null || state === undefined) return [];
    const { activeSynchronizerId: synchronizerId } = rules.dsoRules.payload.config.decentralizedSynchronizer;
    const before = configOn(state, synchronizerId);
    if (isPublished(before, deciding.network.migrationId, addresses)) return [];
    const argument = {
      synchronizerId,
      nodeStateCid: state.contractId,
      newNodeConfig: withAddresses(before, deciding, addresses),
    };
    const key = `publish ${state.contractId} ${addresses.scan} ${addresses.sequencer}`;
    return [task(key, "DsoRules_SetSynchronizerNodeConfig", argument, "each")];
  },
});

type NodeState = FoundContract<typeof SvNodeState>;
type NodeConfig = NodeState["payload"]["state"]["synchronizerNodes"][number][1];

function findNodeState({ facts, rules, sv, hash }: Deciding): NodeState | undefined {
  const name = rules.dsoRules.payload.svs.find(([party]) => party === sv)?.[1].name;
  return facts
    .listBy(SvNodeState, "ownerKey", textKey(hash, sv), FEW)
    .findLast(({ payload }) => payload.sv === sv && payload.svName === name);
}

function configOn({ payload }: NodeState, synchronizerId: string): NodeConfig | undefined {
  return payload.state.synchronizerNodes.find(([id]) => id === synchronizerId)?.[1];
}

function isPublished(
  config: NodeConfig | undefined,
  migrationId: bigint,
  { sequencerId, sequencer, scan }: NodeAddresses,
): boolean {
  const published = config?.sequencer;
  return (
    config?.scan?.publicUrl === scan &&
    published?.url === sequencer &&
    published.sequencerId === sequencerId &&
    published.migrationId === migrationId &&
    published.availableAfter !== null
  );
}

const NO_NODES = { nodes: [], governanceKeys: [], sequencingKeys: [] };

/** Everything else stays as the ledger has it. A sequencer that moves is as available as before. */
function withAddresses(
  before: NodeConfig | undefined,
  { facts, network: { migrationId } }: Deciding,
  { sequencerId, sequencer, scan }: NodeAddresses,
): NodeConfig {
  const isSame = before?.sequencer?.sequencerId === sequencerId;
  const availableAfter = (isSame ? before?.sequencer?.availableAfter : null) ?? facts.now;
  return {
    cometBft: before?.cometBft ?? NO_NODES,
    sequencer: { migrationId, sequencerId, url: sequencer, availableAfter },
    mediator: before?.mediator ?? null,
    scan: { publicUrl: scan },
    legacySequencerConfig: before?.legacySequencerConfig ?? null,
    sequencerIdentity: before?.sequencerIdentity ?? null,
    physicalSynchronizers: before?.physicalSynchronizers ?? null,
  };
}
