/**
 * Contracts that pile up are merged once there are more of them than the rules say. The oldest are taken, so that the
 * task is the same on every SV while more come in.
 */
import type { AnyTemplateDeclaration, Command, ContractId, PayloadOf } from "@callsign/ledger";
import { BATCH } from "../limits/limits.ts";
import type { DecidedTask } from "./dso-automation.ts";
import type { DsoRulesFacts, FoundContract } from "./ledger-facts.ts";

/** A whole batch goes at once if so many wait; one transaction never merges more, whatever the rules say. */
export function mergeOldest(
  cids: readonly ContractId[],
  threshold: number,
  toCommand: (oldest: readonly ContractId[]) => Command,
): readonly DecidedTask[] {
  if (cids.length <= threshold) return [];
  const oldest = cids.length >= BATCH ? cids.slice(0, BATCH) : cids.slice(0, threshold + 1);
  const key = `merge ${oldest.length} ${oldest[0]} ${oldest.at(-1)}`;
  return [{ key, commands: [toCommand(oldest)], takes: 1 }];
}

/** Contracts found by one key may belong to several owners. */
export function cidsByOwner<T extends AnyTemplateDeclaration>(
  contracts: readonly FoundContract<T>[],
  ownerOf: (payload: PayloadOf<T>) => string,
): ReadonlyMap<string, readonly ContractId[]> {
  const byOwner = Map.groupBy(contracts, ({ payload }) => ownerOf(payload));
  return new Map([...byOwner].map(([owner, its]) => [owner, its.map(({ contractId }) => contractId)]));
}

/** The rules have no number for the development fund; that of rewards serves both. Merging one contract would never end. */
export function rewardThreshold({ dsoRules }: DsoRulesFacts): number {
  return Math.max(Number(dsoRules.payload.config.numUnclaimedRewardsThreshold), 1);
}
