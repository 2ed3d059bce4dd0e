/**
 * Agreed answers that stand: none of the scans that gave them has said since that it may answer otherwise (decision 0069). One
 * of them is honest, so asking again would bring the same, up to the time that its word takes. For a short time only, because
 * a scan that hangs says nothing.
 */
import type { Time } from "@callsign/ledger";
import { type AnswerStanding, BoundedMap, type Clock } from "@callsign/node";
import { MAX_STANDING_ANSWER, MAX_STANDING_ANSWERS, STANDING_MILLISECONDS } from "../limits/limits.ts";
import type { AgreedAnswer } from "./agreed-answer.ts";

interface Kept {
  readonly answer: AgreedAnswer<unknown>;
  readonly standings: readonly AnswerStanding[];
}

export class StandingAnswers {
  readonly #kept: BoundedMap<string, Kept>;

  constructor(clock: Clock) {
    const now = () => clock.elapsedMilliseconds();
    const timeToLive = { milliseconds: STANDING_MILLISECONDS, now };
    this.#kept = new BoundedMap({ limit: MAX_STANDING_ANSWERS, timeToLive });
  }

  /** The answer of that key; undefined if none stands at this record time or later. */
  find(key: string, waitFor: Time | null): AgreedAnswer<unknown> | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    const { answer, standings } = kept;
    if (!standings.every(({ holds }) => holds)) {
      this.#kept.delete(key);
      return undefined;
    }
    return waitFor === null || (answer.at !== null && answer.at >= waitFor) ? answer : undefined;
  }

  /** Takes what each of the scans says of its answer: null if it does not tell. */
  keep(key: string, answer: AgreedAnswer<unknown>, given: readonly (AnswerStanding | null)[]): void {
    const standings = given.filter((standing) => standing !== null);
    if (standings.length < given.length || lengthOf(answer) > MAX_STANDING_ANSWER) return;
    this.#kept.set(key, { answer, standings });
  }

  clear(): void {
    this.#kept.clear();
  }
}

function lengthOf({ said, text }: AgreedAnswer<unknown>): number {
  if (said.kind === "refusal") return said.message.length;
  return text?.length ?? (said.value === null ? 0 : Number.POSITIVE_INFINITY);
}
