/** The DSO: its rules, its SVs and the newest round. */
import { AmuletRules, DsoRules, OpenMiningRound, requiredConfirmations, SvNodeState } from "@callsign/ledger";
import type { ContractReader, CurrentContract } from "./contract-reader.ts";

/** The contracts of the DSO's information: the same objects until one of them changes. */
export interface DsoContracts {
  /** The round with the highest number, whether or not its time to open has come. */
  readonly latestMiningRound: CurrentContract<typeof OpenMiningRound>;
  readonly amuletRules: CurrentContract<typeof AmuletRules>;
  readonly dsoRules: CurrentContract<typeof DsoRules>;
  readonly svNodeStates: readonly CurrentContract<typeof SvNodeState>[];
}

/** Undefined until the network is founded. */
export function findDsoContracts(contracts: ContractReader): DsoContracts | undefined {
  const latestMiningRound = contracts.find(OpenMiningRound);
  const amuletRules = contracts.find(AmuletRules);
  const dsoRules = contracts.find(DsoRules);
  if (latestMiningRound === undefined || amuletRules === undefined || dsoRules === undefined)
    return undefined;
  return { latestMiningRound, amuletRules, dsoRules, svNodeStates: contracts.list(SvNodeState) };
}

export function areSameContracts(one: DsoContracts, other: DsoContracts): boolean {
  return (
    one.latestMiningRound === other.latestMiningRound &&
    one.amuletRules === other.amuletRules &&
    one.dsoRules === other.dsoRules &&
    one.svNodeStates === other.svNodeStates
  );
}

/** Of each SV its latest state, in the order of the rules. */
export function describeDso({ dsoRules, svNodeStates }: DsoContracts) {
  const { dso, svs } = dsoRules.payload;
  return {
    dso,
    votingThreshold: requiredConfirmations(svs.length),
    svNodeStates: svs.flatMap(
      ([party]) => svNodeStates.findLast(({ payload }) => payload.sv === party) ?? [],
    ),
  };
}
