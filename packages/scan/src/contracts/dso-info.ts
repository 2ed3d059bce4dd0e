/** The DSO: its rules, its SVs and the newest round. */
import {
  AmuletRules,
  DsoRules,
  OpenMiningRound,
  type PartyId,
  requiredConfirmations,
  SvNodeState,
} from "@callsign/ledger";
import type { ContractReader, CurrentContract } from "./contract-reader.ts";

export interface DsoInfo {
  readonly dso: PartyId;
  readonly votingThreshold: number;
  /** With the highest number, whether or not its time to open has come. */
  readonly latestMiningRound: CurrentContract<typeof OpenMiningRound>;
  readonly amuletRules: CurrentContract<typeof AmuletRules>;
  readonly dsoRules: CurrentContract<typeof DsoRules>;
  /** Of the SVs in DsoRules, in the order of its map. */
  readonly svNodeStates: readonly CurrentContract<typeof SvNodeState>[];
  readonly initialRound: bigint;
}

/** Undefined until the network is founded. */
export function findDsoInfo(
  contracts: ContractReader,
  initialRound: bigint | undefined,
): DsoInfo | undefined {
  const latestMiningRound = contracts.find(OpenMiningRound);
  const amuletRules = contracts.find(AmuletRules);
  const dsoRules = contracts.find(DsoRules);
  if (latestMiningRound === undefined || amuletRules === undefined) return undefined;
  if (dsoRules === undefined || initialRound === undefined) return undefined;
  const { dso, svs } = dsoRules.payload;
  const states = contracts.list(SvNodeState);
  return {
    dso,
    votingThreshold: requiredConfirmations(svs.length),
    latestMiningRound,
    amuletRules,
    dsoRules,
    svNodeStates: svs.flatMap(([party]) => states.findLast(({ payload }) => payload.sv === party) ?? []),
    initialRound,
  };
}
