/** The scans and sequencers of the current SVs, as each SV describes its nodes in its `SvNodeState`. */
import { findBaseUrlFault } from "@callsign/api";
import { DsoRules, MIN_TIME, type PayloadOf, SvNodeState, type Time } from "@callsign/ledger";
import type { ContractReader } from "./contract-reader.ts";

interface ListedScan {
  /** Without `/api/scan`. */
  readonly url: string;
  readonly svName: string;
}

interface ListedSequencer {
  /** −1 for a sequencer that has a serial. */
  readonly migrationId: bigint;
  readonly synchronizerSerial: bigint | null;
  readonly id: string;
  readonly url: string;
  readonly svName: string;
  readonly availableAfter: Time;
}

type NodeConfig = PayloadOf<typeof SvNodeState>["state"]["synchronizerNodes"][number][1];

/** By synchronizer id; within one in the order of DsoRules. URLs that nobody could use are left out. */
export function listScans(contracts: ContractReader): ReadonlyMap<string, readonly ListedScan[]> {
  return listBySynchronizer(contracts, ({ scan }, svName) =>
    scan === null ? [] : [{ url: scan.publicUrl, svName }],
  );
}

export function listSequencers(contracts: ContractReader): ReadonlyMap<string, readonly ListedSequencer[]> {
  return listBySynchronizer(contracts, (config, svName) =>
    [...ofMigration(config), ...ofEarlierMigration(config), ...ofSerials(config)].map((sequencer) => ({
      ...sequencer,
      svName,
    })),
  );
}

type Unnamed = Omit<ListedSequencer, "svName">;

/** A sequencer without a time is not available yet. */
function ofMigration({ sequencer }: NodeConfig): readonly Unnamed[] {
  if (sequencer === null || sequencer.availableAfter === null) return [];
  const { migrationId, sequencerId: id, url, availableAfter } = sequencer;
  return [{ migrationId, synchronizerSerial: null, id, url, availableAfter }];
}

function ofEarlierMigration({ legacySequencerConfig }: NodeConfig): readonly Unnamed[] {
  if (legacySequencerConfig === null) return [];
  const { migrationId, sequencerId: id, url } = legacySequencerConfig;
  return [{ migrationId, synchronizerSerial: null, id, url, availableAfter: MIN_TIME }];
}

function ofSerials({ sequencerIdentity, physicalSynchronizers }: NodeConfig): readonly Unnamed[] {
  if (sequencerIdentity === null || sequencerIdentity.availableAfter === null) return [];
  const { sequencerId: id, availableAfter } = sequencerIdentity;
  return (physicalSynchronizers ?? []).flatMap(([synchronizerSerial, { sequencer }]) =>
    sequencer === null
      ? []
      : [{ migrationId: -1n, synchronizerSerial, id, url: sequencer.url, availableAfter }],
  );
}

function listBySynchronizer<T extends { readonly url: string }>(
  contracts: ContractReader,
  listOf: (config: NodeConfig, svName: string) => readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  const svs = contracts.find(DsoRules)?.payload.svs ?? [];
  const states = contracts.list(SvNodeState);
  for (const [party, { name }] of svs) {
    const state = states.findLast(({ payload }) => payload.sv === party);
    for (const [synchronizerId, config] of state?.payload.state.synchronizerNodes ?? []) {
      const listed = found.get(synchronizerId) ?? [];
      listed.push(...listOf(config, name).filter(({ url }) => findBaseUrlFault(url) === null));
      found.set(synchronizerId, listed);
    }
  }
  return new Map([...found].filter(([, listed]) => listed.length > 0).sort(byId));
}

function byId([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
