/** A store belongs to one operator party and to one migration of the network. */
import { CannotStart } from "@callsign/node";
import { checkOperatorHint } from "./onboarding/operator-party.ts";
import type { WalletStore } from "./store/wallet-store.ts";

export async function checkStore(
  store: WalletStore,
  { operatorPartyHint, migrationId }: { readonly operatorPartyHint: string; readonly migrationId: number },
): Promise<void> {
  checkOperatorHint(await store.findOperator(), operatorPartyHint);
  const known = await store.findMigration();
  if (known !== undefined && known !== migrationId)
    throw new CannotStart(
      `this store belongs to the network's migration ${known}, and migrationId is ${migrationId}: configure ${known}, ` +
        "or give the other migration a data folder or database of its own",
    );
}
