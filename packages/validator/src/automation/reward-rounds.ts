import type { Time } from "@callsign/ledger";
import type { AutomationParts } from "./validator-automation.ts";

/** The rounds whose rewards can be minted, as an automation lists them. */
export class RewardRounds {
  readonly #parts: Pick<AutomationParts, "reads" | "facts">;
  /** The rounds of the last listing; null if nobody here had rewards. */
  #rounds: Awaited<ReturnType<AutomationParts["facts"]["issuingRounds"]>> | null = null;

  constructor(parts: Pick<AutomationParts, "reads" | "facts">) {
    this.#parts = parts;
  }

  /** The numbers of the rounds that issue; none if nobody here has rewards. */
  async listIssuing(now: Time): Promise<readonly bigint[]> {
    const { reads, facts } = this.#parts;
    this.#rounds = (await reads.hasRewards()) ? await facts.issuingRounds() : null;
    const issuing = this.#rounds?.filter(({ payload }) => payload.opensAt <= now) ?? [];
    return issuing.map(({ payload }) => payload.round.number);
  }

  /** Call before a listing that may need no rounds. */
  forget(): void {
    this.#rounds = null;
  }

  /**
   * The time at which the next round issues, by the last listing. Scans do not list rounds before they issue: while there are
   * rewards to mint, rounds are read again and again.
   */
  nextIssuing(now: Time): bigint | null {
    if (this.#rounds === null) return null;
    return this.#rounds.find(({ payload }) => payload.opensAt > now)?.payload.opensAt ?? now;
  }
}
