/**
 * One signed entry on its way to the log. It goes to one sequencer after another until its effect shows: a sequencer
 * that accepts an entry and drops it delays the entry by a second, or by three times what effects take of late.
 */
import { type Envelope, type LedgerError, ledgerError, type Time } from "@callsign/ledger";
import { type Host, untilAborted } from "@callsign/node";
import {
  LATEST_RESEND_MILLISECONDS,
  MAX_REFUSALS,
  REFUSED_PAUSE_MILLISECONDS,
  RESEND_MILLISECONDS,
} from "../limits/limits.ts";
import type { SequencerConnections } from "../network/sequencer-connections.ts";
import type { Handover } from "../network/submit-entry.ts";
import type { UsualTime } from "../network/usual-time.ts";
import type { SubmissionMetrics } from "./submission-metrics.ts";

export interface DeliveryParts {
  readonly connections: SequencerConnections;
  readonly envelope: Envelope;
  readonly maxRecordTime: Time;
  /** Called when a sequencer has the entry on its log: the entry will end, one way or the other. */
  readonly onAccepted: (() => void) | undefined;
  /** The time from sending an entry once until its effect shows. */
  readonly effects: UsualTime;
  readonly host: Host;
  readonly metrics: SubmissionMetrics | undefined;
}

const RESEND_PATIENCE = { least: RESEND_MILLISECONDS, most: LATEST_RESEND_MILLISECONDS };

export class EntryDelivery {
  readonly #parts: DeliveryParts;
  #last: Promise<Handover> | null = null;
  /** How often the entry was sent again. */
  #resends = 0;
  /** True while every sequencer that was asked has refused: none of them can have the entry. */
  #isRefused = true;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  /** Sends until the signal aborts, and then returns null; or until the entry cannot take effect, with the reason. */
  async run(signal: AbortSignal): Promise<LedgerError | null> {
    const { connections, envelope, maxRecordTime, onAccepted, effects, host, metrics } = this.#parts;
    let refusals = 0;
    for (; !signal.aborted; this.#resends++) {
      const attempt = this.#resends;
      const begun = host.clock.elapsedMilliseconds();
      this.#last = connections.current.submit(envelope, attempt);
      void this.#last.then(
        (answered) => metrics?.countSending(answered, attempt, host.clock.elapsedMilliseconds() - begun),
        () => undefined,
      );
      // The effect may show before the sequencer answers.
      const handover = await untilAborted(this.#last, signal).catch(() => null);
      if (handover === null || signal.aborted) return null;
      if (handover.kind === "accepted") onAccepted?.();
      if (handover.kind !== "refused") this.#isRefused = false;
      else if (++refusals >= MAX_REFUSALS && this.#isRefused) {
        return (await this.#isLate()) ? tooLate() : refusalOf(handover);
      }
      const milliseconds = this.#isRefused ? REFUSED_PAUSE_MILLISECONDS : effects.patience(RESEND_PATIENCE);
      const hasPassed = () => connections.current.consensus.reports.hasPassed(maxRecordTime);
      const isOver = await connections.reported.until(hasPassed, { milliseconds, signal });
      if (isOver && !signal.aborted) return tooLate();
    }
    return null;
  }

  /**
   * Call when the effect shows, so long after the entry was first sent: the sequencer that accepted the entry last is asked first from
   * now on. The time of an entry that had to be sent again says nothing about the network: its first sequencer may have dropped it.
   */
  async creditSequencer(milliseconds: number): Promise<void> {
    if (this.#resends === 0) this.#parts.effects.observe(milliseconds);
    const handover = await this.#last?.catch(() => null);
    if (handover?.kind === "accepted") this.#parts.connections.current.prefer(handover.source);
  }

  /** Sequencers refuse an entry after its latest record time, as when the network's clock was moved. */
  async #isLate(): Promise<boolean> {
    const now = await this.#parts.connections.now();
    return now !== undefined && now > this.#parts.maxRecordTime;
  }
}

function tooLate(): LedgerError {
  return ledgerError(
    "NOT_SEQUENCED_TIMEOUT",
    "The network went past the latest record time of the submission without it: it did not and will not happen",
  );
}

function refusalOf({ overloaded, isUnwritable }: Extract<Handover, { kind: "refused" }>): LedgerError {
  if (isUnwritable) {
    const cause = "The network's sequencers cannot write their log at present: try again in a minute";
    return ledgerError("SERVICE_NOT_RUNNING", cause);
  }
  return overloaded === null
    ? ledgerError("SEQUENCER_REQUEST_FAILED", "No sequencer took the submission: try again in a second")
    : ledgerError("SEQUENCER_BACKPRESSURE", `The sequencers do not take the submission now: ${overloaded}`);
}
