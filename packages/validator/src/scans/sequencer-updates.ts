/**
 * Hands the network's sequencers to the participant: those on which the scans agree, again whenever they change; or the
 * one that the operator trusts, once.
 */
import { MIN_TIME, type Time, timeFromMicros } from "@callsign/ledger";
import { type Host, type Log, sleep } from "@callsign/node";
import { describeError } from "../errors/describe-error.ts";
import type { LedgerClock } from "../ledger/ledger-clock.ts";
import type { ParticipantAdmin } from "../ledger/participant-admin.ts";
import { SEQUENCER_LIST_MILLISECONDS } from "../limits/limits.ts";
import type { SequencerSource } from "../settings/network-settings.ts";
import { type ChosenSequencers, chooseSequencers, networkSequencers } from "./choose-sequencers.ts";
import { requireSequencer } from "./explain-scans.ts";
import type { ScanGroup } from "./scan-group.ts";

export interface SequencerUpdatesParts {
  readonly source: SequencerSource;
  readonly migrationId: number;
  readonly scans: ScanGroup;
  readonly participantAdmin: ParticipantAdmin;
  readonly clock: LedgerClock;
  readonly host: Host;
  readonly log: Log;
}

export class SequencerUpdates {
  readonly #parts: SequencerUpdatesParts;
  readonly #closing = new AbortController();
  #updating: Promise<void> | null = null;
  #hasWarned = false;

  constructor(parts: SequencerUpdatesParts) {
    this.#parts = parts;
  }

  /** Resolves once the participant has the network's sequencers; from then on it is told of changes. */
  async establish(): Promise<void> {
    const { source, log } = this.#parts;
    if (source.kind === "trust-single" && !this.#hasWarned) {
      this.#hasWarned = true;
      log.warn(
        { sequencer: source.url },
        "this validator's participant trusts a single sequencer: while it is down nothing can be submitted, and its stream is not checked",
      );
    }
    await this.update();
    if (source.kind !== "trust-single") this.#updating ??= this.#keepUpdating();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#updating;
  }

  /** The same sequencers again leave the participant alone. */
  async update(): Promise<void> {
    const { participantAdmin, log } = this.#parts;
    const { client } = participantAdmin;
    const chosen = await this.#choose();
    const before = await client.getSequencerConnections({});
    if (isSame(chosen, before)) return;
    await client.setSequencerConnections({ body: chosen });
    log.info({ ...chosen, before: before.urls }, "the participant was given the network's sequencers");
  }

  async #choose(): Promise<ChosenSequencers> {
    const { source, scans, migrationId, host, log } = this.#parts;
    if (source.kind === "trust-single") {
      await requireSequencer(source.url, host);
      return { urls: [source.url], threshold: 1 };
    }
    const listed = await scans.read(networkSequencers);
    return chooseSequencers(source, listed, { now: this.#now(), migrationId, log });
  }

  /** The network's time; the machine's where the scans do not tell it. */
  #now(): Time {
    const { scans, clock, host } = this.#parts;
    const reached = scans.recordTime() ?? MIN_TIME;
    const latest = reached > clock.now ? reached : clock.now;
    return latest > MIN_TIME ? latest : timeFromMicros(BigInt(host.clock.wallMilliseconds()) * 1000n);
  }

  async #keepUpdating(): Promise<void> {
    const { host, log } = this.#parts;
    const { signal } = this.#closing;
    for (;;) {
      await sleep(SEQUENCER_LIST_MILLISECONDS, { timers: host.timers, signal });
      if (signal.aborted) return;
      await this.update().catch((error: unknown) => {
        log.warn({ error: describeError(error) }, "reading the network's sequencers failed");
      });
    }
  }
}

function isSame(a: ChosenSequencers, b: ChosenSequencers): boolean {
  if (a.threshold !== b.threshold || a.urls.length !== b.urls.length) return false;
  return a.urls.every((url) => b.urls.includes(url));
}
