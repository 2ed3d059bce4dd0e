/** Splice.DSO.DecentralizedSynchronizer and Splice.CometBft: how SVs describe their nodes on the ledger. */
import { damlMap, list } from "../../../daml/collections.ts";
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { int64, text, time } from "../../../daml/scalars.ts";
import { enumeration } from "../../../daml/variant.ts";

const SynchronizerState = enumeration(
  "DS_Bootstrapping",
  "DS_Operational",
  "DS_Decomissioned",
  "ExtSynchronizerState",
);

const SynchronizerConfig = record("SynchronizerConfig", {
  state: SynchronizerState,
  cometBftGenesisJson: text,
  acsCommitmentReconciliationInterval: optional(int64),
});

export const DsoDecentralizedSynchronizerConfig = record("DsoDecentralizedSynchronizerConfig", {
  synchronizers: damlMap(text, SynchronizerConfig),
  lastSynchronizerId: text,
  activeSynchronizerId: text,
});

const CometBftConfig = record("CometBftConfig", {
  nodes: damlMap(text, record({ validatorPubKey: text, votingPower: int64 })),
  governanceKeys: list(record({ pubKey: text })),
  sequencingKeys: list(record({ pubKey: text })),
});
export type CometBftConfig = ValueOf<typeof CometBftConfig>;

const CometBftConfigLimits = record("CometBftConfigLimits", {
  maxNumCometBftNodes: int64,
  maxNumGovernanceKeys: int64,
  maxNumSequencingKeys: int64,
  maxNodeIdLength: int64,
  maxPubKeyLength: int64,
});
export type CometBftConfigLimits = ValueOf<typeof CometBftConfigLimits>;

export const SynchronizerNodeConfigLimits = record("SynchronizerNodeConfigLimits", {
  cometBft: CometBftConfigLimits,
});

const SequencerConfig = record("SequencerConfig", {
  migrationId: int64,
  sequencerId: text,
  url: text,
  availableAfter: optional(time),
});

export const SynchronizerNodeConfig = record("SynchronizerNodeConfig", {
  cometBft: CometBftConfig,
  sequencer: optional(SequencerConfig),
  mediator: optional(record("MediatorConfig", { mediatorId: text })),
  scan: optional(record("ScanConfig", { publicUrl: text })),
  legacySequencerConfig: optional(record({ migrationId: int64, sequencerId: text, url: text })),
  sequencerIdentity: optional(record({ sequencerId: text, availableAfter: optional(time) })),
  physicalSynchronizers: optional(damlMap(int64, record({ sequencer: optional(record({ url: text })) }))),
});

/** From synchronizer id to the SV's nodes on it. */
export const SynchronizerNodeConfigMap = damlMap(text, SynchronizerNodeConfig);
export type SynchronizerNodeConfigMap = ValueOf<typeof SynchronizerNodeConfigMap>;
