/**
 * Takes up a cancelled name of the user again (decision 0054): the user asks on the ledger, and an SV accepts. The call answers
 * when that is decided. A call that is repeated waits for the request there is, or finds the name taken up.
 */
import { hash } from "node:crypto";
import type { OwnedEntry } from "@callsign/api";
import {
  type AnsEntry,
  AnsEntryContext,
  completeName,
  entryTerms,
  isPrimaryEntry,
  Subscription,
  SubscriptionIdleState,
  TakeUpRequest,
} from "@callsign/ledger";
import { ValidatorError } from "../errors/validator-error.ts";
import type { WalletHistory } from "../history/wallet-history.ts";
import { create } from "../ledger/commands.ts";
import { isUnknownPackage } from "../ledger/participant-errors.ts";
import type { WalletContract } from "../store/contract-rows.ts";
import { findHeldEntry } from "../wallet/held-entry.ts";
import { findPrimary } from "../wallet/primary-names.ts";
import { submitUnlessSent } from "../wallet/submit-unless-sent.ts";
import type { Wallet } from "../wallet/wallet.ts";
import type { CreateEntryParts } from "./create-entry.ts";
import { formatEntry } from "./list-entries.ts";

export interface TakeUpParts extends CreateEntryParts {
  readonly history: WalletHistory;
}

export async function takeUpEntry(parts: TakeUpParts, wallet: Wallet, given: string): Promise<OwnedEntry> {
  const name = completeName(given, await parts.facts.acronym());
  if (!name.ok) throw new ValidatorError({ kind: "invalid-request", text: name.error });
  return await parts.entryQueue.run(JSON.stringify([wallet.party, name.value]), () =>
    takeUp(parts, wallet, name.value),
  );
}

async function takeUp(parts: TakeUpParts, wallet: Wallet, name: string): Promise<OwnedEntry> {
  const { ledger, history } = parts;
  const { party } = wallet;
  await ledger.requireCopy();
  const entry = await getEntry(parts, wallet, name);
  const found = await findSubscription(parts, wallet, name);
  if (found !== null) {
    const request = await history.findNameRequest(party, found.payload.reference);
    if (request?.purpose === "take_up") return await showEntry(parts, wallet, name);
    throw new ValidatorError({ kind: "entry-subscribed", name });
  }
  let decided = await history.awaitTakeUp(party, entry.contractId);
  if (decided?.state !== "requested" && decided?.state !== "registered") {
    await submit(parts, wallet, entry);
    decided = await history.awaitTakeUp(party, entry.contractId, { before: decided });
  }
  if (decided?.state === "registered") return await showEntry(parts, wallet, name);
  const isOpen = decided === undefined || decided.state === "requested";
  throw new ValidatorError(isOpen ? { kind: "take-up-pending", name } : { kind: "take-up-refused", name });
}

async function getEntry(parts: TakeUpParts, wallet: Wallet, name: string): Promise<WalletContract<AnsEntry>> {
  const entry = await findHeldEntry(parts, wallet, name);
  if (entry === undefined) throw new ValidatorError({ kind: "entry-not-held", name });
  return entry;
}

async function findSubscription(
  { store }: TakeUpParts,
  { party: owner }: Wallet,
  name: string,
): Promise<WalletContract<Subscription> | null> {
  for (const { payload } of await store.list(AnsEntryContext, { owner, entry: name })) {
    const [found] = await store.list(Subscription, { owner, reference: payload.reference }, 1);
    if (found !== undefined) return found;
  }
  return null;
}

async function submit(
  parts: TakeUpParts,
  { party }: Wallet,
  { contractId: entry, payload: { name, dso } }: WalletContract<AnsEntry>,
): Promise<void> {
  const { ledger, facts } = parts;
  const operation = `take-up_${hash("sha256", JSON.stringify([party, entry]), "hex")}`;
  try {
    await submitUnlessSent(parts, operation, (commandId) =>
      ledger.submitAs(
        "user",
        party,
        async () => {
          const payData = entryTerms((await facts.nameRules()).payload);
          return {
            commands: [create(TakeUpRequest, { dso, user: party, name, entry, payData } as TakeUpRequest)],
          };
        },
        { commandId },
      ),
    );
  } catch (error) {
    throw isUnknownPackage(error) ? new ValidatorError({ kind: "take-up-unknown" }) : error;
  }
}

async function showEntry(parts: TakeUpParts, wallet: Wallet, name: string): Promise<OwnedEntry> {
  const entry = await getEntry(parts, wallet, name);
  const subscription = await findSubscription(parts, wallet, name);
  const [idle] =
    subscription === null
      ? []
      : await parts.store.list(
          SubscriptionIdleState,
          { owner: wallet.party, reference: subscription.contractId },
          1,
        );
  const terms = idle?.payload.payData ?? entryTerms((await parts.facts.nameRules()).payload);
  const primary = await findPrimary(parts.store, wallet.party);
  const isPrimary = primary !== undefined && isPrimaryEntry(primary.payload, entry);
  return formatEntry(entry, terms, { autoRenewal: true, idle: idle?.payload ?? null }, isPrimary);
}
