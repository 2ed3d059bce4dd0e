/**
 * Sends on the coin of wallets above a limit in dollars, as `walletSweep` says. A sweep that cannot be made, such as one
 * without the receiver's preapproval, is a failed task, and its status says why.
 */
import {
  AcceptedTransferOffer,
  Amulet,
  type Decimal,
  parsePartyId,
  TransferOffer,
  ZERO,
} from "@callsign/ledger";
import { DONE, type DueTask, onePage, SKIPPED } from "@callsign/node";
import { parseDollars, type WalletSweeps } from "../settings/transfer-settings.ts";
import { exceedsLimit, findSweepAmount, type SweepTerms, sweepWallet } from "../wallet/sweep.ts";
import { DueOwners } from "./changed-owners.ts";
import type { AutomationParts, ValidatorAutomation } from "./validator-automation.ts";

export function sweepWallets(parts: AutomationParts, given: WalletSweeps): ValidatorAutomation {
  const { facts, directory } = parts;
  const sweeps = readSweeps(given);
  let price: Decimal = ZERO;
  /** Senders with more coin than their limit, whatever open offers may take of it. */
  const rich = new DueOwners(
    async () => [],
    async (sender) => {
      const sweep = sweeps.get(sender);
      return sweep !== undefined && (await exceedsLimit(parts, sweep, price));
    },
  );
  return {
    name: "sweep-wallets",
    concerns: [Amulet, TransferOffer, AcceptedTransferOffer],
    onChanged: (owners) => rich.add([...owners].filter((owner) => sweeps.has(owner))),
    listDue: onePage(async () => {
      const { amuletPrice } = (await facts.usableRound()).payload;
      if (amuletPrice !== price) rich.add(sweeps.keys());
      price = amuletPrice;
      const due: DueTask[] = [];
      for (const sender of await rich.list()) {
        const sweep = sweeps.get(sender);
        if (sweep === undefined) continue;
        // The holder of a name is found when it is swept.
        const receiver = "party" in sweep.receiver ? sweep.receiver.party : null;
        const amount = await findSweepAmount(parts, sweep, { price, receiver });
        if (amount !== null) due.push({ task: sender, owner: sender });
      }
      return due;
    }),
    perform: async (sender) => {
      const sweep = sweeps.get(sender);
      const wallet = await directory.findByParty(sender);
      if (sweep === undefined || wallet === undefined) return SKIPPED;
      return (await sweepWallet(parts, wallet, sweep)) === "swept" ? DONE : SKIPPED;
    },
  };
}

/** The terms of each sweep, by sender. The settings have been checked. */
function readSweeps(given: WalletSweeps): ReadonlyMap<string, SweepTerms> {
  const sweeps = new Map<string, SweepTerms>();
  for (const [key, sweep] of Object.entries(given)) {
    const [sender, receiver] = [parsePartyId(key), parsePartyId(sweep.receiver)];
    const maxBalanceUsd = parseDollars(sweep.maxBalanceUSD);
    const minBalanceUsd = parseDollars(sweep.minBalanceUSD);
    if (!sender.ok || maxBalanceUsd === null || minBalanceUsd === null) continue;
    sweeps.set(key, {
      sender: sender.value,
      receiver: receiver.ok ? { party: receiver.value } : { name: sweep.receiver },
      ...{ maxBalanceUsd, minBalanceUsd, byPreapproval: sweep.useTransferPreapproval ?? false },
    });
  }
  return sweeps;
}
