/** An automation whose task is to pay for a wallet's open request. */
import type { AmuletOperation, AnyTemplateDeclaration, ContractId } from "@callsign/ledger";
import { SKIPPED } from "@callsign/node";
import { COMPLETING_OWNERS_AT_ONCE } from "../limits/limits.ts";
import { operateFor } from "./attempt-outcome.ts";
import type {
  AutomationParts,
  ValidatorAutomation,
  ValidatorAutomationName,
} from "./validator-automation.ts";

/** The request's owner pays. Expired requests are left to `expire-requests`. */
export function completeRequest(
  name: ValidatorAutomationName,
  parts: AutomationParts,
  template: AnyTemplateDeclaration,
  toOperation: (contractId: ContractId) => AmuletOperation,
): ValidatorAutomation {
  const { store, reads } = parts;
  return {
    name,
    concerns: [template],
    ownersAtOnce: COMPLETING_OWNERS_AT_ONCE,
    listDue: (now, after) => reads.listOpen([template], now, after),
    perform: async (contractId) => {
      const request = await store.find(template, contractId);
      if (request === undefined) return SKIPPED;
      return await operateFor(parts, request.owner, async () => {
        const found = await store.find(template, contractId);
        return found === undefined ? "stale" : { operation: toOperation(found.contractId) };
      });
    },
  };
}
