/** Sweeps and offers that are accepted by themselves, checked; their automations come with the wallet. */
import {
  type AutoAcceptConfig,
  findAutoAcceptProblems,
  findSweepProblems,
  type WalletSweepConfig,
} from "@callsign/validator";
import type { KeyReader } from "./key-reader.ts";

export function readWalletSweep(reader: KeyReader): Readonly<Record<string, WalletSweepConfig>> {
  const sweeps: Record<string, WalletSweepConfig> = {};
  for (const name of reader.names("walletSweep")) {
    const at = (key: string) => `walletSweep.${name}.${key}`;
    for (const key of ["maxBalanceUSD", "minBalanceUSD", "receiver"])
      reader.require(at(key), "A sweep needs maxBalanceUSD, minBalanceUSD and receiver");
    const [max, min, receiver] = [at("maxBalanceUSD"), at("minBalanceUSD"), at("receiver")].map((path) =>
      reader.text(path),
    );
    if (max === undefined || min === undefined || receiver === undefined) continue;
    const useTransferPreapproval = reader.flag(at("useTransferPreapproval")) ?? false;
    sweeps[unquote(name)] = { maxBalanceUSD: max, minBalanceUSD: min, receiver, useTransferPreapproval };
  }
  reader.adopt(findSweepProblems(sweeps));
  return sweeps;
}

export function readAutoAccept(reader: KeyReader): Readonly<Record<string, AutoAcceptConfig>> {
  const rules = Object.fromEntries(
    reader.names("autoAcceptTransfers").map((name) => {
      const fromParties = reader.texts(`autoAcceptTransfers.${name}.fromParties`) ?? [];
      return [unquote(name), { fromParties }] as const;
    }),
  );
  reader.adopt(findAutoAcceptProblems(rules));
  return rules;
}

/** Names are quoted in paths where they have dots. */
function unquote(name: string): string {
  return name.startsWith('"') ? String(JSON.parse(name)) : name;
}
