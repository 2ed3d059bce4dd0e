/** Outcomes of an automation's submissions, in the terms of the automation frame. */
import { DONE, failed, SKIPPED, STALE, type TaskNotDone, type TaskOutcome, waiting } from "@callsign/node";
import { describeError } from "../errors/describe-error.ts";
import { isProblem } from "../errors/validator-error.ts";
import { isGone } from "../ledger/participant-errors.ts";
import type { CoinOperation, MakeOperation, Priority, Stale } from "../wallet/wallet-ledger.ts";
import type { AutomationParts } from "./validator-automation.ts";

/** Done with a transaction. Stale if nothing was left to do, or if the contracts were gone at every attempt. */
export async function outcomeOf(submitted: Promise<unknown>): Promise<TaskOutcome> {
  try {
    return (await submitted) === ("stale" satisfies Stale) ? STALE : DONE;
  } catch (error) {
    if (isGone(error)) return STALE;
    throw error;
  }
}

/** Runs an operation on the coin of the party's wallet. Skipped if the party has no wallet here. */
export async function operateFor(
  { directory, ledger }: AutomationParts,
  party: string,
  makeOperation: MakeOperation<CoinOperation | Stale>,
  priority: Priority = "low",
): Promise<TaskOutcome> {
  const wallet = await directory.findByParty(party);
  if (wallet === undefined) return SKIPPED;
  return await outcomeOf(ledger.runOperation(wallet, makeOperation, { asker: "automation", priority }));
}

/** A wallet that waits for coin has not failed. A top-up without coin has: the operator has to act. */
export function toTaskFailure(error: unknown): TaskNotDone {
  const reason = describeError(error);
  if (isProblem(error, "not-enough-coin")) return waiting(reason, "coin");
  return failed(reason, isProblem(error, "traffic-too-expensive") ? "coin" : null);
}
