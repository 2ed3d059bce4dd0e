/**
 * Every unexpired entry of a party, also one whose subscription was cancelled (decision 0013). Its price is that of its
 * last subscription; without one, that of the rules.
 */
import type { OwnedEntry } from "@callsign/api";
import { AnsEntry, formatDecimal, isVisible, type SubscriptionPayData } from "@callsign/ledger";
import type { NetworkFacts } from "../scans/network-facts.ts";
import type { WalletContract } from "../store/contract-rows.ts";
import type { Wallet } from "../wallet/wallet.ts";
import type { WalletParts } from "../wallet/wallet-ledger.ts";

export async function listEntries(
  { store, clock, facts }: WalletParts,
  { party }: Wallet,
): Promise<OwnedEntry[]> {
  const owned: OwnedEntry[] = [];
  const entries = await store.list(AnsEntry, { owner: party });
  if (entries.length > 0) await facts.refreshTime();
  for (const entry of entries) {
    if (!isVisible({ expiresAt: entry.payload.expiresAt, now: clock.now })) continue;
    const terms = (await store.findTerms(party, entry.payload.name)) ?? (await termsOfRules(facts));
    owned.push(formatEntry(entry, terms));
  }
  return owned;
}

async function termsOfRules(facts: NetworkFacts): Promise<SubscriptionPayData> {
  const { config } = (await facts.nameRules()).payload;
  return {
    paymentAmount: { amount: config.entryFee, unit: "USDUnit" },
    paymentInterval: config.entryLifetime,
    paymentDuration: config.renewalDuration,
  };
}

export function formatEntry(
  { contractId, payload }: Pick<WalletContract<AnsEntry>, "contractId" | "payload">,
  { paymentAmount, paymentInterval, paymentDuration }: SubscriptionPayData,
): OwnedEntry {
  return {
    contractId: `ContractId(${contractId})`,
    name: payload.name,
    amount: formatDecimal(paymentAmount.amount),
    unit: paymentAmount.unit === "AmuletUnit" ? "AMULETUNIT" : "USDUNIT",
    expiresAt: String(payload.expiresAt / 1000n),
    paymentInterval: String(paymentInterval.microseconds),
    paymentDuration: String(paymentDuration.microseconds),
  };
}
