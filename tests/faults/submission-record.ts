/** Submissions of the load and the answers that they got. */
import { findLedgerError, HttpError } from "../../packages/api/src/index.ts";

/**
 * `unknown`: no answer came, or one that leaves open whether it took effect. `rejected`: so was the last attempt, and an earlier
 * one may have taken effect. `refused`: it took no effect.
 */
export type SubmissionState = "acknowledged" | "refused" | "rejected" | "unknown";

export interface SubmissionRecord {
  readonly commandId: string;
  state: SubmissionState;
  /** The code of the last answer that was an error; null if none had one. */
  errorCode: string | null;
  /** When it was sent first, and when it was acknowledged, as `performance.now` has them. */
  readonly sentAt: number;
  acknowledgedAt: number | null;
}

/** Codes of answers to an attempt that do not say what becomes of the command. */
const UNCLEAR_CODES = ["SUBMISSION_ALREADY_IN_FLIGHT", "PARTICIPANT_BACKPRESSURE"];

/** The state that a failed attempt leaves. A duplicate is the proof that an earlier attempt took effect. */
export function stateAfter(error: unknown, { isFirst }: { readonly isFirst: boolean }): SubmissionState {
  if (!(error instanceof HttpError) || error.status >= 500) return "unknown";
  const answer = findLedgerError(error);
  if (answer === undefined || UNCLEAR_CODES.includes(answer.code)) return "unknown";
  if (answer.code === "DUPLICATE_COMMAND") return "acknowledged";
  return isFirst || answer.definiteAnswer === true ? "refused" : "rejected";
}

/** The code of the ledger's answer; null if the error is none. */
export function ledgerCodeOf(error: unknown): string | null {
  return error instanceof HttpError ? (findLedgerError(error)?.code ?? null) : null;
}
