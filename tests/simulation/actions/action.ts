/** One step of a simulation. It answers in a few words what it did, for the trace. */
import type { Outcome } from "../../../packages/ledger/src/transition/outcome.ts";
import { partyHint } from "../../../packages/ledger/src/values/party-id.ts";
import type { WalletActor } from "../../../packages/ledger/testing/wallet-actor.ts";
import { hold } from "../audit/violation.ts";
import type { World } from "../world.ts";

export interface Action<W = World> {
  readonly name: string;
  /** The weight with which it is chosen among the others. */
  readonly weight: number;
  readonly run: (world: W) => string;
}

export const NOTHING = "nothing to do";

export function verdictOf({ verdict }: Outcome): string {
  return verdict.kind === "rejected" ? verdict.error.code : verdict.kind;
}

export function nameOf({ party }: WalletActor): string {
  return partyHint(party);
}

/** Throws if a submission that must never be accepted was accepted. */
export function mustBeRejected(what: string, outcome: Outcome, codes: readonly string[] = []): string {
  const { verdict } = outcome;
  const isRight = verdict.kind === "rejected" && (codes.length === 0 || codes.includes(verdict.error.code));
  hold(`${what} is rejected`, isRight, () => verdictOf(outcome));
  return verdictOf(outcome);
}

/** The number of trace lines that a failure shows. */
const TRACED = 16;

/** The error of a run: the reason, its last actions, and the line that replays it. */
export function runFailure(what: string, replay: string, trace: readonly string[], cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const lines = trace.filter((line) => !line.endsWith(NOTHING)).slice(-TRACED);
  return new Error(
    [`${what}: ${reason}`, ...lines.map((line) => `  ${line}`), `replay: ${replay}`].join("\n"),
    {
      cause,
    },
  );
}
