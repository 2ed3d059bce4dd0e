/** Transfers that nobody accepted in time; coin that is still locked goes back to its owner. */
import { AmuletTransferInstruction } from "@callsign/ledger";
import { expireAtItsTime } from "../expire-at-its-time.ts";
import { hasLockedCoin } from "./has-locked-coin.ts";

export const expireTransferInstructions = expireAtItsTime("expire-transfer-instructions", [
  {
    template: AmuletTransferInstruction,
    command: ({ facts, rules, exercise }, transferInstructionCid) => {
      const expireLock = hasLockedCoin(facts, AmuletTransferInstruction, transferInstructionCid);
      const inputs = [{ transferInstructionCid, expireLock }];
      const transferInsts = { expectedDso: rules.dso, inputs, observers: [] };
      const argument = { amuletRulesCid: rules.amuletRulesCid, transferInsts };
      return exercise("DsoRules_Amulet_ExpireTransferInstructions", argument);
    },
  },
]);
