/** Tells the operator of settings for parties that have no wallet here: a mistyped party would switch its row off silently. */
import type { Log } from "@callsign/node";
import type { AutoAccepts, WalletSweeps } from "../settings/transfer-settings.ts";
import type { WalletDirectory } from "../wallet/wallet-directory.ts";

export interface PartySettings {
  readonly walletSweep: WalletSweeps;
  readonly autoAcceptTransfers: AutoAccepts;
  readonly enableWallet: boolean;
}

export async function warnOfMissingWallets(
  { directory, log }: { readonly directory: WalletDirectory; readonly log: Log },
  { walletSweep, autoAcceptTransfers, enableWallet }: PartySettings,
): Promise<void> {
  const [senders, receivers] = [Object.keys(walletSweep), Object.keys(autoAcceptTransfers)];
  if (!enableWallet && senders.length + receivers.length > 0)
    log.warn({}, "walletSweep and autoAcceptTransfers have no effect: enableWallet is false");
  for (const [key, parties, effect] of [
    ["walletSweep", senders, "nothing is swept from it"],
    ["autoAcceptTransfers", receivers, "no offer to it is accepted"],
  ] as const)
    for (const party of parties)
      if ((await directory.findByParty(party)) === undefined)
        log.warn(
          { key, party },
          `${key} names a party that has no wallet here: ${effect}. Check the party id`,
        );
}
