/** The DSO: its rules, its SVs and the newest round. */
import { AmuletRules, DsoRules, OpenMiningRound, requiredConfirmations, SvNodeState } from "@callsign/ledger";
import type { ContractReader } from "./contract-reader.ts";

/** Undefined until the network is founded. */
export function findDsoInfo(contracts: ContractReader, initialRound: bigint | undefined) {
  // With the highest number, whether or not its time to open has come.
  const latestMiningRound = contracts.find(OpenMiningRound);
  const amuletRules = contracts.find(AmuletRules);
  const dsoRules = contracts.find(DsoRules);
  if (latestMiningRound === undefined || amuletRules === undefined) return undefined;
  if (dsoRules === undefined || initialRound === undefined) return undefined;
  const { dso, svs } = dsoRules.payload;
  const states = contracts.list(SvNodeState);
  return {
    ...{ dso, latestMiningRound, amuletRules, dsoRules, initialRound },
    votingThreshold: requiredConfirmations(svs.length),
    svNodeStates: svs.flatMap(([party]) => states.findLast(({ payload }) => payload.sv === party) ?? []),
  };
}
