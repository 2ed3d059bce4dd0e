/** Sweeps, and offers that are accepted automatically. The validator checks them. */
import type { AutoAccepts, WalletSweepConfig, WalletSweeps } from "@callsign/validator";
import type { KeyReader } from "./key-reader.ts";

export function readWalletSweep(reader: KeyReader): WalletSweeps {
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
  return sweeps;
}

export function readAutoAccept(reader: KeyReader): AutoAccepts {
  return Object.fromEntries(
    reader.names("autoAcceptTransfers").map((name) => {
      const fromParties = reader.texts(`autoAcceptTransfers.${name}.fromParties`) ?? [];
      return [unquote(name), { fromParties }] as const;
    }),
  );
}

/** Names are quoted in paths where they have dots. */
function unquote(name: string): string {
  return name.startsWith('"') ? String(JSON.parse(name)) : name;
}
