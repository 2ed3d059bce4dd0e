/**
 * Looks at each PrimaryName once the expiry that it names has passed (decision 0073). If the name was renewed, the contract gets its new
 * expiry, long before the next renewal. Otherwise the name has lapsed, and the contract is removed.
 */
import { isPrimaryEntry, PrimaryName } from "@callsign/ledger";
import { SKIPPED } from "@callsign/node";
import { exercise } from "../ledger/commands.ts";
import { findHeldEntry } from "../wallet/held-entry.ts";
import { findPrimary, removePrimary } from "../wallet/primary-names.ts";
import { outcomeOf } from "./attempt-outcome.ts";
import type { AutomationParts, ValidatorAutomation } from "./validator-automation.ts";

export function renewPrimaryNames(parts: AutomationParts): ValidatorAutomation {
  const { store, reads, ledger, directory } = parts;
  return {
    name: "renew-primary-names",
    concerns: [PrimaryName],
    listDue: (now, after) => reads.listDue([PrimaryName], now, after),
    nextDueAt: (now) => reads.nextDueAt([PrimaryName], now),
    perform: async (task) => {
      const found = await store.find(PrimaryName, task);
      const wallet = found === undefined ? undefined : await directory.findByParty(found.owner);
      if (wallet === undefined) return SKIPPED;
      // A copy that is behind may lack the renewed entry.
      await ledger.requireCopy();
      const renew = async () => {
        const primary = await store.find(PrimaryName, task);
        if (primary === undefined) return "stale";
        const latest = await findPrimary(store, wallet.party);
        const entry = await findHeldEntry(parts, wallet, primary.payload.name);
        const counts = latest?.contractId === primary.contractId && entry !== undefined;
        if (!counts || !isPrimaryEntry(primary.payload, entry)) return { commands: [removePrimary(primary)] };
        const { name, expiresAt } = entry.payload;
        return {
          commands: [exercise(PrimaryName, primary.contractId, "PrimaryName_Set", { name, expiresAt })],
        };
      };
      return await outcomeOf(ledger.submitAs("user", wallet.party, renew));
    },
  };
}
