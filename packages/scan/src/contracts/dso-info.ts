/** What the network is run by: its rules, its SVs and the newest round. */
import {
  AmuletRules,
  DsoRules,
  OpenMiningRound,
  type PartyId,
  requiredConfirmations,
  SvNodeState,
} from "@callsign/ledger";
import type { OpenedRounds } from "../rounds/opened-rounds.ts";
import type { CurrentContract, CurrentContracts } from "./current-contracts.ts";

export interface DsoInfo {
  readonly dso: PartyId;
  readonly votingThreshold: number;
  /** With the highest number, whether or not its time to open has come. */
  readonly latestMiningRound: CurrentContract<typeof OpenMiningRound>;
  readonly amuletRules: CurrentContract<typeof AmuletRules>;
  readonly dsoRules: CurrentContract<typeof DsoRules>;
  /** In the order of DsoRules' map; of SVs that are members still. */
  readonly svNodeStates: readonly CurrentContract<typeof SvNodeState>[];
  readonly initialRound: bigint;
}

/** Undefined until the network is founded. */
export function findDsoInfo(contracts: CurrentContracts, opened: OpenedRounds): DsoInfo | undefined {
  const latestMiningRound = contracts.find(OpenMiningRound);
  const amuletRules = contracts.find(AmuletRules);
  const dsoRules = contracts.find(DsoRules);
  const initialRound = opened.findFirst();
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
