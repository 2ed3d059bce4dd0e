/**
 * A decision on a payment for a name in the contracts' words. Every SV has to write the same decision down in the same
 * way: confirmations count together only if their actions are equal.
 */
import type { ContractId } from "../../values/contract-id.ts";
import type { AppTransferContext } from "../splice-amulet/declarations/transfer.ts";
import type { ActionRequiringConfirmation } from "./declarations/confirmed-action.ts";

interface DecidedRound {
  readonly amuletRulesCid: string;
  readonly openMiningRoundCid: string;
}

interface DecidedInitialPayment extends DecidedRound {
  readonly kind: "collect" | "reject";
  readonly paymentCid: string;
  readonly contextCid: string;
  readonly ansRulesCid: string;
}

/** The action that SVs confirm for a decision on a first payment. */
export function actionToConfirm(decision: DecidedInitialPayment): ActionRequiringConfirmation {
  const value = {
    paymentCid: decision.paymentCid as ContractId,
    transferContext: transferContextOf(decision),
    ansRulesCid: decision.ansRulesCid as ContractId,
  };
  return {
    tag: "ARC_AnsEntryContext",
    value: {
      ansEntryContextCid: decision.contextCid as ContractId,
      ansEntryContextAction:
        decision.kind === "collect"
          ? { tag: "ANSRARC_CollectInitialEntryPayment", value }
          : { tag: "ANSRARC_RejectEntryInitialPayment", value },
    },
  };
}

/** The transfer context of the decision; no app is featured. */
export function transferContextOf(decision: DecidedRound): AppTransferContext {
  return {
    amuletRules: decision.amuletRulesCid as ContractId,
    openMiningRound: decision.openMiningRoundCid as ContractId,
    featuredAppRight: null,
  };
}
