/**
 * The name that the user is called by (decision 0073): sets and removes it on the ledger. A wallet has one `PrimaryName` at most: the
 * contract is replaced, and others of the party are removed with it. A call that is repeated finds the name set, and submits nothing.
 */
import type { OwnedEntry } from "@callsign/api";
import { type AnsEntry, completeName, isPrimaryEntry, type PartyId, PrimaryName } from "@callsign/ledger";
import { ValidatorError } from "../errors/validator-error.ts";
import { create, exercise } from "../ledger/commands.ts";
import { isUnknownPackage } from "../ledger/participant-errors.ts";
import { REPLACED_PRIMARY_NAMES } from "../limits/limits.ts";
import type { WalletContract } from "../store/contract-rows.ts";
import { findHeldEntry } from "../wallet/held-entry.ts";
import { findPrimary, removePrimary } from "../wallet/primary-names.ts";
import type { Wallet } from "../wallet/wallet.ts";
import type { CommandBatch, WalletParts } from "../wallet/wallet-ledger.ts";
import { listEntries } from "./list-entries.ts";

export async function setPrimaryName(parts: WalletParts, wallet: Wallet, given: string): Promise<OwnedEntry> {
  const { ledger, treasury } = parts;
  const name = completeName(given, await parts.facts.acronym());
  if (!name.ok) throw new ValidatorError({ kind: "invalid-request", text: name.error });
  const notHeld = new ValidatorError({ kind: "primary-name-not-held", name: name.value });
  // The wallet's queue runs one call at a time, so that two concurrent calls do not create two contracts.
  await treasury.run(wallet.party, async () => {
    await ledger.requireCopy();
    const entry = await findHeldEntry(parts, wallet, name.value);
    if (entry === undefined) throw notHeld;
    const primary = await findPrimary(parts.store, wallet.party);
    if (primary !== undefined && isPrimaryEntry(primary.payload, entry)) return;
    try {
      await ledger.submitAs("user", wallet.party, () => replace(parts, wallet.party, entry));
    } catch (error) {
      throw isUnknownPackage(error) ? new ValidatorError({ kind: "primary-name-unknown" }) : error;
    }
  });
  const shown = (await listEntries(parts, wallet)).find((each) => each.name === name.value);
  if (shown === undefined) throw notHeld;
  return shown;
}

/** Without a PrimaryName there is nothing to do. */
export async function removePrimaryName(
  { store, ledger, treasury }: WalletParts,
  { party }: Wallet,
): Promise<undefined> {
  await treasury.run(party, async () => {
    await ledger.requireCopy();
    await ledger.submitAs("user", party, async () => {
      const primaries = await store.list(PrimaryName, { owner: party }, REPLACED_PRIMARY_NAMES);
      return primaries.length === 0 ? "stale" : { commands: primaries.map(removePrimary) };
    });
  });
}

/** Sets the latest contract to the entry's name, and removes the others. */
async function replace(
  { store }: WalletParts,
  user: PartyId,
  { payload: { dso, name, expiresAt } }: WalletContract<AnsEntry>,
): Promise<CommandBatch> {
  const latest = await findPrimary(store, user);
  if (latest === undefined) return { commands: [create(PrimaryName, { dso, user, name, expiresAt })] };
  const primaries = await store.list(PrimaryName, { owner: user }, REPLACED_PRIMARY_NAMES);
  const others = primaries.filter(({ contractId }) => contractId !== latest.contractId);
  const set = exercise(PrimaryName, latest.contractId, "PrimaryName_Set", { name, expiresAt });
  return { commands: [set, ...others.map(removePrimary)] };
}
