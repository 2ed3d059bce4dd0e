/** Commands with the same user, command id and acting parties count as one within the deduplication period. */
import { distinct } from "../engine/live-contract.ts";
import { type LedgerError, ledgerError } from "../errors/ledger-error.ts";
import { sorted } from "../values/sorted.ts";
import { compareAscii } from "../values/text.ts";
import { laterTime, type Time } from "../values/time.ts";
import type { Submit } from "./entry-content.ts";
import type { LedgerView } from "./ledger-view.ts";
import { MAX_DEDUPLICATION_PERIOD } from "./limits.ts";

interface CommandIdentity {
  readonly userId: string;
  readonly commandId: string;
  readonly actAs: readonly string[];
}

/** The command's change id. The acting parties are a set: neither order nor repetition makes another command. */
export function commandKey({ userId, commandId, actAs }: CommandIdentity): string {
  return JSON.stringify([userId, commandId, ...sorted(distinct(actAs), compareAscii)]);
}

/** A member id holds no slash, so no two pairs share a key. */
export function submissionKey(entry: { readonly member: string; readonly submissionId: string }): string {
  return `${entry.member}/${entry.submissionId}`;
}

export function findDuplicate(view: LedgerView, submit: Submit, key: string, now: Time): LedgerError | null {
  const earlier = view.findAcceptedCommand(key);
  const longest = (now - MAX_DEDUPLICATION_PERIOD) as Time;
  const from = laterTime(submit.deduplicateFrom ?? longest, longest);
  if (earlier === undefined || earlier.recordTime < from) return null;
  return ledgerError("DUPLICATE_COMMAND", `Command ${submit.commandId} was accepted before`, {
    context: { existing_submission_id: earlier.submissionId },
    resources: [["COMMAND_ID", submit.commandId]],
  });
}
