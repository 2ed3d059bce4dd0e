/**
 * Requests a name. A request that could only be refunded later is refused at once: a name, url or description that the
 * SVs would not accept, a name that is taken. The same request, repeated while it is open, gives the same contracts,
 * also if two come at once.
 */
import { hash } from "node:crypto";
import {
  AnsEntryContext,
  AnsRules,
  type ContractId,
  completeName,
  type EntryName,
  type Parsed,
  parseEntryDescription,
  parseEntryUrl,
  SubscriptionInitialPayment,
  SubscriptionRequest,
} from "@callsign/ledger";
import type { KeyedQueue } from "@callsign/node";
import { ValidatorError } from "../errors/validator-error.ts";
import { exercise } from "../ledger/commands.ts";
import type { ScanGroup } from "../scans/scan-group.ts";
import { entryByName } from "../scans/scan-lookups.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import { submitUnlessSent } from "../wallet/submit-unless-sent.ts";
import type { Wallet } from "../wallet/wallet.ts";
import { getCreated, type WalletParts } from "../wallet/wallet-ledger.ts";

export interface EntryRequest {
  readonly name: string;
  readonly url: string;
  readonly description: string;
}

interface CheckedEntry extends EntryRequest {
  readonly name: EntryName;
}

export interface RequestedEntry extends CheckedEntry {
  readonly entryContextCid: ContractId;
  readonly subscriptionRequestCid: ContractId;
}

export interface CreateEntryParts extends WalletParts {
  readonly scans: ScanGroup;
  readonly entryQueue: KeyedQueue;
}

export async function createEntry(
  parts: CreateEntryParts,
  wallet: Wallet,
  given: EntryRequest,
): Promise<RequestedEntry> {
  const request = checkEntry(given, await parts.facts.acronym());
  return await parts.entryQueue.run(JSON.stringify([wallet.party, request.name]), async () => {
    await parts.ledger.requireCopy();
    const open = await findOpen(parts.store, wallet, request);
    if (open !== undefined) return open;
    await refuseIfTaken(parts, wallet, request.name);
    return await requestEntry(parts, wallet, request);
  });
}

/** The request with the full name. Throws where a rule is broken. */
export function checkEntry(given: EntryRequest, acronym: string): CheckedEntry {
  const name = orRefuse(completeName(given.name, acronym));
  const url = orRefuse(parseEntryUrl(given.url));
  const description = orRefuse(parseEntryDescription(given.description));
  // Ledgers store neither U+0000 nor half a character.
  if (![url, description].every((text) => text.isWellFormed() && !text.includes("\u0000"))) {
    const error =
      "Url and description are texts without U+0000 and without halves of characters. Leave those out.";
    orRefuse({ ok: false, error });
  }
  return { name, url, description };
}

function orRefuse<T>(parsed: Parsed<T>): T {
  if (parsed.ok) return parsed.value;
  throw new ValidatorError({ kind: "invalid-request", text: parsed.error });
}

async function findOpen(
  store: WalletStore,
  { party }: Wallet,
  entry: CheckedEntry,
): Promise<RequestedEntry | undefined> {
  const known = await store.list(AnsEntryContext, { owner: party, entry: entry.name });
  for (const { contractId, payload } of known) {
    if (payload.url !== entry.url || payload.description !== entry.description) continue;
    const request = await store.find(SubscriptionRequest, payload.reference);
    if (request === undefined) continue;
    return { ...entry, entryContextCid: contractId, subscriptionRequestCid: request.contractId };
  }
  return undefined;
}

async function refuseIfTaken(
  { store, scans }: CreateEntryParts,
  { party }: Wallet,
  name: EntryName,
): Promise<void> {
  const entry = await scans.read(entryByName(name));
  if (entry !== null) {
    const holder = entry.user === party ? null : entry.user;
    throw new ValidatorError({ kind: "name-taken", name, holder, expiresAt: entry.expires_at });
  }
  for (const { payload } of await store.list(AnsEntryContext, { owner: party, entry: name })) {
    const [payment] = await store.list(SubscriptionInitialPayment, {
      owner: party,
      reference: payload.reference,
    });
    if (payment !== undefined) throw new ValidatorError({ kind: "name-payment-pending", name });
  }
}

async function requestEntry(
  parts: CreateEntryParts,
  wallet: Wallet,
  request: CheckedEntry,
): Promise<RequestedEntry> {
  const { store, ledger } = parts;
  const requested = await submitUnlessSent(parts, operationOf(wallet, request), (commandId) =>
    submitRequest(parts, wallet, { request, commandId }),
  );
  if (requested !== undefined) return requested;
  await ledger.requireCopy();
  return (await findOpen(store, wallet, request)) ?? (await requestEntry(parts, wallet, request));
}

function operationOf({ party }: Wallet, { name, url, description }: CheckedEntry): string {
  return `entry_${hash("sha256", JSON.stringify([party, name, url, description]), "hex")}`;
}

async function submitRequest(
  { ledger, facts }: CreateEntryParts,
  wallet: Wallet,
  { request, commandId }: { readonly request: CheckedEntry; readonly commandId: string },
): Promise<RequestedEntry> {
  const makeBatch = async () => {
    const rules = await facts.nameRules();
    const argument = { ...request, user: wallet.party };
    return {
      commands: [exercise(AnsRules, rules.contractId, "AnsRules_RequestEntry", argument)],
      disclosed: [rules.disclosed],
    };
  };
  const transaction = await ledger.submitAs("user", wallet.party, makeBatch, { commandId });
  return {
    entryContextCid: getCreated(transaction, AnsEntryContext),
    subscriptionRequestCid: getCreated(transaction, SubscriptionRequest),
    ...request,
  };
}
