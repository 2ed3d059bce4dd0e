/** The founding of a network on a log that several processes share: one entry, once, whoever appends it. */
import {
  type Envelope,
  FIRST_PREVIOUS_HASH,
  formatLogEntry,
  hashLogEntry,
  type LogEntry,
  type Network,
  type Time,
} from "@callsign/ledger";
import { CannotStart, type Host, sha256 } from "@callsign/node";
import type { OrderedLog } from "@callsign/synchronizer";
import { findFirstEntry } from "./find-beginning.ts";
import { requireFounded, tryFounding } from "./try-founding.ts";

export interface FoundedNetwork {
  readonly network: Network;
  /** False if the log had this founding before. */
  readonly isNew: boolean;
}

interface FoundingParts {
  readonly log: OrderedLog;
  /** The machine's clock. */
  readonly clock: () => Time;
  readonly host: Pick<Host, "files">;
}

/** Throws `CannotStart` if the log has another network, or the ledger would refuse this one. */
export async function foundByDraft(
  envelope: Envelope,
  { log, clock, host }: FoundingParts,
): Promise<FoundedNetwork> {
  const entry = { ...envelope, sequence: 1, previousHash: FIRST_PREVIOUS_HASH, stampedAt: clock() };
  const network = requireFounded(tryFounding(entry, host));
  const batch = {
    after: { sequence: 0, entryHash: FIRST_PREVIOUS_HASH },
    head: { sequence: 1, entryHash: hashLogEntry(sha256, entry) },
    entries: [formatLogEntry(entry)],
  };
  if ((await log.append(batch)).appended) return { network, isNew: true };
  return { network: requireSame(await findFirstEntry(log), envelope, host), isNew: false };
}

function requireSame(first: LogEntry | null, envelope: Envelope, host: Pick<Host, "files">): Network {
  if (first === null)
    throw new CannotStart("the log has entries, and its first one is missing or damaged: give another log");
  if (first.content !== envelope.content)
    throw new CannotStart(
      `the log begins with another draft, ${sha256(first.content)}, and this one is ${sha256(envelope.content)}: ` +
        "give an empty log, or go on with the network that is there",
    );
  return requireFounded(tryFounding(first, host));
}
