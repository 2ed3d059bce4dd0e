/** Every party with a wallet here gives the validator the right to its validator rewards: one contract, made once. */
import { hash } from "node:crypto";
import { type PartyId, ValidatorRight, WalletAppInstall } from "@callsign/ledger";
import { create } from "../ledger/commands.ts";
import { readParty } from "../ledger/read-party.ts";
import type { AutomationReads } from "../store/automation-reads.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import type { WalletLedger } from "../wallet/wallet-ledger.ts";
import { outcomeOf } from "./attempt-outcome.ts";
import type { ValidatorAutomation } from "./automation-names.ts";

export interface RightParts {
  readonly store: WalletStore;
  readonly reads: AutomationReads;
  readonly ledger: WalletLedger;
  readonly operatorParty: PartyId;
  readonly dso: PartyId;
}

export function grantValidatorRights(parts: RightParts): ValidatorAutomation {
  const { store, reads, ledger, operatorParty: validator, dso } = parts;
  return {
    name: "grant-validator-rights",
    concerns: [WalletAppInstall, ValidatorRight],
    listDue: async (_, after) =>
      (await reads.listWithoutRight(validator, after)).map((party) => ({ task: party, owner: party })),
    nextDueAt: async () => null,
    perform: async (party) => {
      const user = readParty(party);
      await ledger.requireCopy();
      // A right that was in flight before a restart must not be created a second time.
      const commandId = `right_${hash("sha256", ["2", validator, user].join("/"), "hex")}`;
      const grant = async () => {
        const rights = await store.list(ValidatorRight, { owner: user, link: validator }, 1);
        if (rights.length > 0) return "stale";
        return { commands: [create(ValidatorRight, { dso, user, validator })] };
      };
      return await outcomeOf(ledger.submitAsBoth(user, grant, { commandId }));
    },
  };
}
