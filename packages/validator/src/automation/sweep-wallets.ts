/**
 * Sends on the coin of wallets above a limit in dollars, as `walletSweep` says. A sweep that cannot be made, such as for
 * want of the receiver's preapproval, is a failed task, and its status says why.
 */
import { AcceptedTransferOffer, Amulet, parsePartyId, TransferOffer } from "@callsign/ledger";
import { DONE, type DueTask, onePage, SKIPPED } from "@callsign/node";
import { parseDollars, type WalletSweeps } from "../settings/transfer-settings.ts";
import { findSweepAmount, type SweepTerms, sweepWallet } from "../wallet/sweep.ts";
import type { AutomationParts, ValidatorAutomation } from "./validator-automation.ts";

export function sweepWallets(parts: AutomationParts, given: WalletSweeps): ValidatorAutomation {
  const sweeps = readSweeps(given);
  const { facts, directory } = parts;
  return {
    name: "sweep-wallets",
    concerns: [Amulet, TransferOffer, AcceptedTransferOffer],
    listDue: onePage(async () => {
      const { amuletPrice: price } = (await facts.usableRound()).payload;
      const due: DueTask[] = [];
      for (const sweep of sweeps) {
        const { sender, receiver: wanted } = sweep;
        // The holder of a name is found when it is swept.
        const receiver = "party" in wanted ? wanted.party : null;
        const amount = await findSweepAmount(parts, sweep, { price, receiver });
        if (amount !== null) due.push({ task: sender, owner: sender });
      }
      return due;
    }),
    perform: async (sender) => {
      const sweep = sweeps.find((each) => each.sender === sender);
      const wallet = await directory.findByParty(sender);
      if (sweep === undefined || wallet === undefined) return SKIPPED;
      return (await sweepWallet(parts, wallet, sweep)) === "swept" ? DONE : SKIPPED;
    },
  };
}

/** The settings have been checked. */
function readSweeps(given: WalletSweeps): readonly SweepTerms[] {
  return Object.entries(given).flatMap(([key, sweep]) => {
    const [sender, receiver] = [parsePartyId(key), parsePartyId(sweep.receiver)];
    const maxBalanceUsd = parseDollars(sweep.maxBalanceUSD);
    const minBalanceUsd = parseDollars(sweep.minBalanceUSD);
    if (!sender.ok || maxBalanceUsd === null || minBalanceUsd === null) return [];
    return {
      sender: sender.value,
      receiver: receiver.ok ? { party: receiver.value } : { name: sweep.receiver },
      ...{ maxBalanceUsd, minBalanceUsd, byPreapproval: sweep.useTransferPreapproval ?? false },
    };
  });
}
