/** The right of a featured app: find it, grant it to the wallet's own party where the network allows that, give it up. */
import { type ContractId, FeaturedAppRight, WalletAppInstall } from "@callsign/ledger";
import { exercise } from "../ledger/commands.ts";
import { MAX_RIGHTS_CANCELLED } from "../limits/limits.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import { submitUnlessSent } from "./submit-unless-sent.ts";
import type { Wallet } from "./wallet.ts";
import { getCreated, type Stale, type WalletParts } from "./wallet-ledger.ts";

export async function isFeatured(store: WalletStore, party: string): Promise<boolean> {
  return (await findRight(store, party)) !== undefined;
}

async function findRight(store: WalletStore, party: string): Promise<ContractId | undefined> {
  const [right] = await store.list(FeaturedAppRight, { owner: party }, 1);
  return right?.contractId;
}

/** Runs in the wallet's queue, so that neither a repeated call nor two at once grant a second right. */
export function grantFeaturedAppRight(parts: WalletParts, wallet: Wallet): Promise<ContractId> {
  return parts.treasury.run(wallet.party, () => findOrGrant(parts, wallet));
}

async function findOrGrant(parts: WalletParts, wallet: Wallet): Promise<ContractId> {
  const { store, ledger, facts } = parts;
  const { party, install } = wallet;
  await ledger.requireCopy();
  const held = await findRight(store, party);
  if (held !== undefined) return held;
  const makeBatch = async () => {
    const { contractId: amuletRulesCid, disclosed } = await facts.coinRules();
    const choice = "WalletAppInstall_FeaturedAppRights_SelfGrant";
    return {
      commands: [exercise(WalletAppInstall, install, choice, { amuletRulesCid })],
      disclosed: [disclosed],
    };
  };
  const granted = await submitUnlessSent(parts, `feature_${party}`, async (commandId) => {
    const transaction = await ledger.submitAs("operator", party, makeBatch, { commandId });
    return getCreated(transaction, FeaturedAppRight);
  });
  // An earlier grant has taken effect: its right is in the copy now, unless it was given up.
  return granted ?? (await findOrGrant(parts, wallet));
}

export async function cancelFeaturedAppRights(
  { store, ledger }: WalletParts,
  { party, install }: Wallet,
): Promise<undefined> {
  const cancelSome = async () => {
    const rights = await store.list(FeaturedAppRight, { owner: party }, MAX_RIGHTS_CANCELLED);
    if (rights.length === 0) return "stale" satisfies Stale;
    const choice = "WalletAppInstall_FeaturedAppRights_Cancel";
    return {
      commands: rights.map(({ contractId: cid }) => exercise(WalletAppInstall, install, choice, { cid })),
    };
  };
  while ((await ledger.submitAs("operator", party, cancelSome)) !== "stale");
}
