/**
 * The work that calls of a local network do besides HTTP: their handlers over a copy of the network's databases, called
 * directly, and the text of the answer. A validator asks the running scans for the rounds, as it does in the network.
 */
import { silentLog, systemHost } from "@callsign/node";
import { DsoText, ScanIndex } from "@callsign/scan";
import { SqliteState } from "@callsign/synchronizer";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { openDatabase } from "../../packages/node/src/database/open-database.ts";
import { openStore } from "../../packages/node/src/database/open-store.ts";
import { LedgerClock } from "../../packages/validator/src/ledger/ledger-clock.ts";
import { NetworkFacts } from "../../packages/validator/src/scans/network-facts.ts";
import { ScanGroup } from "../../packages/validator/src/scans/scan-group.ts";
import { walletStore } from "../../packages/validator/src/store/wallet-definition.ts";
import { WalletStore } from "../../packages/validator/src/store/wallet-store.ts";
import { Balances } from "../../packages/validator/src/wallet/balance.ts";
import { WalletDirectory } from "../../packages/validator/src/wallet/wallet-directory.ts";

export interface OwnWork {
  /** The body that the server answers. */
  readonly answer: () => string | Promise<string>;
  readonly close: () => Promise<void>;
}

/** Looks whether the DSO's contracts are those of the text that is kept. */
export function openDsoWork(file: string, sv: { readonly user: string; readonly party: PartyId }): OwnWork {
  const database = openDatabase(file, { exclusive: true });
  const index = new ScanIndex(new SqliteState(database));
  const dsoText = new DsoText(() => index, sv);
  return { answer: () => dsoText.find() ?? "", close: async () => database.close() };
}

/** Finds the user's wallet and the round, and looks whether the coins are those of the text that is kept. */
export async function openBalanceWork(
  file: string,
  { user, scanUrls }: { readonly user: string; readonly scanUrls: readonly string[] },
): Promise<OwnWork> {
  const parts = { host: systemHost, log: silentLog };
  const database = await openStore({ file }, walletStore.migrations, parts);
  const store = new WalletStore(database);
  const scans = new ScanGroup({ ...parts, urls: scanUrls });
  const facts = new NetworkFacts(scans, new LedgerClock(), systemHost);
  const operator = await store.findOperator();
  const directory = new WalletDirectory(store, operator as PartyId);
  const balances = new Balances({ store, facts });
  const answer = async () => {
    const wallet = await directory.findByUser(user);
    if (wallet === undefined) throw new Error(`${user} has no wallet`);
    return await balances.get(wallet.party);
  };
  return {
    answer,
    close: async () => {
      await scans.close();
      await database.close();
    },
  };
}
