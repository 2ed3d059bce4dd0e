/** The contracts on whose terms coin moves now, as a part of a choice's context. */
import { AmuletRules, ExternalPartyConfigState, OpenMiningRound, type Time } from "@callsign/ledger";
import type { ContractReader, CurrentContract } from "../contracts/contract-reader.ts";
import type { ContextParts } from "./choice-context.ts";

/** Null while no round is open. */
export function findTransferTerms(contracts: ContractReader, now: Time): ContextParts["named"] | null {
  const amuletRules = contracts.find(AmuletRules);
  const openRound = contracts.list(OpenMiningRound).findLast(({ payload }) => payload.opensAt <= now);
  if (amuletRules === undefined || openRound === undefined) return null;
  const state = findNewestState(contracts);
  return [
    { key: "amulet-rules", contract: amuletRules },
    { key: "open-round", contract: openRound },
    ...(state === undefined ? [] : [{ key: "external-party-config-state", contract: state } as const]),
  ];
}

/** The state that is archived last. The founding creates two with equal times: then the greater id decides. */
function findNewestState(
  contracts: ContractReader,
): CurrentContract<typeof ExternalPartyConfigState> | undefined {
  return contracts
    .list(ExternalPartyConfigState)
    .reduce<CurrentContract<typeof ExternalPartyConfigState> | undefined>((newest, each) => {
      if (newest === undefined) return each;
      const [a, b] = [newest.payload.targetArchiveAfter, each.payload.targetArchiveAfter];
      if (a !== b) return a > b ? newest : each;
      return newest.contract.contractId > each.contract.contractId ? newest : each;
    }, undefined);
}
