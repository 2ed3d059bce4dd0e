/** Sweeps and offers that are accepted by themselves, checked; their automations come with the wallet. */
import { decimal, parsePartyId } from "@callsign/ledger";
import type { KeyReader } from "./key-reader.ts";
import type { ValidatorSetup, WalletSweep } from "./setups.ts";

export function readWalletSweep(reader: KeyReader): ValidatorSetup["walletSweep"] {
  const sweeps = reader
    .names("walletSweep")
    .map((name) => [partyOf(reader, "walletSweep", name), readSweep(reader, name)] as const);
  return Object.fromEntries(
    sweeps.flatMap(([party, sweep]) => (party === undefined || sweep === undefined ? [] : [[party, sweep]])),
  );
}

function readSweep(reader: KeyReader, name: string): WalletSweep | undefined {
  const at = (key: string) => `walletSweep.${name}.${key}`;
  const [max, min] = [reader.number(at("maxBalanceUSD")), reader.number(at("minBalanceUSD"))];
  const receiver = reader.text(at("receiver"));
  for (const key of ["maxBalanceUSD", "minBalanceUSD", "receiver"])
    reader.require(at(key), "A sweep needs maxBalanceUSD, minBalanceUSD and receiver");
  if (receiver !== undefined) checkParty(reader, at("receiver"), receiver);
  if (max === undefined || min === undefined || receiver === undefined) return undefined;
  if (min > max) {
    return reader.refuse(
      at("minBalanceUSD"),
      `is more than maxBalanceUSD ${max}`,
      "Give at most maxBalanceUSD",
    );
  }
  return {
    maxBalanceUsd: decimal(String(max)),
    minBalanceUsd: decimal(String(min)),
    receiver,
    useTransferPreapproval: reader.flag(at("useTransferPreapproval")) ?? false,
  };
}

export function readAutoAccept(reader: KeyReader): ValidatorSetup["autoAcceptTransfers"] {
  const accepted = reader.names("autoAcceptTransfers").flatMap((name) => {
    const path = `autoAcceptTransfers.${name}.fromParties`;
    const fromParties = reader.texts(path) ?? [];
    for (const party of fromParties) checkParty(reader, path, party);
    const receiver = partyOf(reader, "autoAcceptTransfers", name);
    return receiver === undefined ? [] : [[receiver, { fromParties }] as const];
  });
  return Object.fromEntries(accepted);
}

/** Names of the values are quoted where they have dots. */
function partyOf(reader: KeyReader, map: string, name: string): string | undefined {
  const party = name.startsWith('"') ? String(JSON.parse(name)) : name;
  return checkParty(reader, `${map}.${name}`, party) ? party : undefined;
}

function checkParty(reader: KeyReader, path: string, party: string): boolean {
  const parsed = parsePartyId(party);
  if (parsed.ok) return true;
  reader.findings.push({
    key: path,
    value: party,
    problem: `is no party id: ${parsed.error}`,
    fix: "Write hint::fingerprint, such as alice::1220…",
  });
  return false;
}
