/** A store belongs to one operator party and to one migration of the network, until it is carried over to the next one. */
import { CannotStart } from "@callsign/node";
import { checkOperatorHint } from "./onboarding/operator-party.ts";
import type { WalletStore } from "./store/wallet-store.ts";

export interface StoreOwner {
  readonly operatorPartyHint: string;
  readonly migrationId: number;
  readonly migrating: boolean;
}

export async function checkStore(store: WalletStore, owner: StoreOwner): Promise<void> {
  const { operatorPartyHint, migrationId, migrating } = owner;
  checkOperatorHint(await store.findOperator(), operatorPartyHint);
  const known = await store.findMigration();
  if (known === undefined || known === migrationId) return;
  const isNext = known + 1 === migrationId;
  if (isNext && migrating) return;
  const remedy = isNext
    ? "set migrating to true if the network was migrated"
    : `migrating leads to ${known + 1} and no other`;
  throw new CannotStart(
    `this store belongs to the network's migration ${known}, and migrationId is ${migrationId}: configure ${known}, ` +
      `${remedy}, or give the other migration a data folder or database of its own`,
  );
}
