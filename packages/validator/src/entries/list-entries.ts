/**
 * Every unexpired entry of a party, also one whose subscription was cancelled (decision 0013), and whether it will be
 * renewed. Its price is that of its last subscription; without one, that of the rules.
 */
import type { OwnedEntry } from "@callsign/api";
import {
  AnsEntry,
  AnsEntryContext,
  entryTerms,
  formatDecimal,
  isPrimaryEntry,
  isVisible,
  RenewalPreference,
  SubscriptionIdleState,
  type SubscriptionPayData,
  SubscriptionPayment,
} from "@callsign/ledger";
import { firstPayableAt } from "../ledger/wallet-contracts.ts";
import type { NetworkFacts } from "../scans/network-facts.ts";
import type { WalletContract } from "../store/contract-rows.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import { findPrimary } from "../wallet/primary-names.ts";
import type { Wallet } from "../wallet/wallet.ts";
import type { WalletParts } from "../wallet/wallet-ledger.ts";

/** The subscription behind an entry; null if it was cancelled or has ended. */
export type EntryRenewal = {
  readonly autoRenewal: boolean;
  /** Null while a payment is on its way. */
  readonly idle: SubscriptionIdleState | null;
} | null;

export async function listEntries(
  { store, clock, facts }: WalletParts,
  { party }: Wallet,
): Promise<OwnedEntry[]> {
  // An entry that is renewed during the read is there twice: the later one counts.
  const entries = new Map<string, WalletContract<AnsEntry>>();
  for await (const entry of store.listAll(AnsEntry, party)) entries.set(entry.payload.name, entry);
  if (entries.size === 0) return [];
  await facts.refreshTime();
  const findRenewal = await readRenewals(store, party);
  const findTerms = await store.readTerms(party);
  const primary = await findPrimary(store, party);
  const owned: OwnedEntry[] = [];
  for (const [name, entry] of entries) {
    if (!isVisible({ expiresAt: entry.payload.expiresAt, now: clock.now })) continue;
    const terms = findTerms(name) ?? (await termsOfRules(facts));
    const isPrimary = primary !== undefined && isPrimaryEntry(primary.payload, entry);
    owned.push(formatEntry(entry, terms, findRenewal(name), isPrimary));
  }
  return owned;
}

/** The renewal of each of the party's names. */
async function readRenewals(store: WalletStore, party: string): Promise<(name: string) => EntryRenewal> {
  const byHand = new Set<string>();
  for await (const { payload } of store.listAll(RenewalPreference, party))
    if (!payload.autoRenew) byHand.add(payload.reference);
  const idleOf = new Map<string, SubscriptionIdleState | null>();
  for await (const { payload } of store.listAll(SubscriptionIdleState, party))
    idleOf.set(payload.reference, payload);
  for await (const { payload } of store.listAll(SubscriptionPayment, party))
    idleOf.set(payload.reference, null);
  const renewals = new Map<string, EntryRenewal>();
  for await (const { payload } of store.listAll(AnsEntryContext, party)) {
    const idle = idleOf.get(payload.reference);
    if (idle !== undefined) renewals.set(payload.name, { idle, autoRenewal: !byHand.has(payload.reference) });
  }
  return (name) => renewals.get(name) ?? null;
}

async function termsOfRules(facts: NetworkFacts): Promise<SubscriptionPayData> {
  return entryTerms((await facts.nameRules()).payload);
}

export function formatEntry(
  { contractId, payload }: Pick<WalletContract<AnsEntry>, "contractId" | "payload">,
  { paymentAmount, paymentInterval, paymentDuration }: SubscriptionPayData,
  renewal: EntryRenewal,
  isPrimary: boolean,
): OwnedEntry {
  const idle = renewal?.idle;
  const milliseconds = (time: bigint) => String(time / 1000n);
  return {
    contractId: `ContractId(${contractId})`,
    name: payload.name,
    amount: formatDecimal(paymentAmount.amount),
    unit: paymentAmount.unit === "AmuletUnit" ? "AMULETUNIT" : "USDUNIT",
    expiresAt: milliseconds(payload.expiresAt),
    paymentInterval: String(paymentInterval.microseconds),
    paymentDuration: String(paymentDuration.microseconds),
    url: payload.url,
    description: payload.description,
    state: renewal === null ? "cancelled" : idle === null ? "paying" : "subscribed",
    autoRenewal: renewal?.autoRenewal ?? false,
    nextPaymentFrom: idle ? milliseconds(firstPayableAt(idle)) : null,
    nextPaymentDueAt: idle ? milliseconds(idle.nextPaymentDueAt) : null,
    primary: isPrimary,
  };
}
