/** The checks of a submission against the participant's own ledger, before anything is sent. */
import {
  commandKey,
  type Engine,
  MAX_DEDUPLICATION_PERIOD,
  type Time,
  timeFromMicros,
} from "@callsign/ledger";
import { type Host, LedgerFailure, type Log } from "@callsign/node";
import { failWith } from "../requests/identifiers.ts";
import type { LedgerStore } from "../store/ledger-store.ts";
import type { PartyStore } from "../store/party-store.ts";
import { checkNotDuplicate, findDeduplicationStart } from "./deduplication.ts";
import { interpretSubmission } from "./interpret-submission.ts";
import { resolveMinLedgerTime } from "./min-ledger-time.ts";
import type { CommandSubmission } from "./read-submission.ts";

interface CheckParts {
  readonly engine: Engine;
  readonly ledger: LedgerStore;
  readonly parties: PartyStore;
  readonly host: Host;
  readonly log: Log;
}

/** The submission's times, resolved by the network's clock. */
interface SubmissionTimes {
  /** Null for the longest period. */
  readonly deduplicateFrom: Time | null;
  readonly minLedgerTime: Time | null;
}

/** Throws the error that the submission is answered with. */
export async function checkSubmission(
  parts: CheckParts,
  submission: CommandSubmission,
  now: Time,
): Promise<SubmissionTimes> {
  const { ledger, parties, host, log } = parts;
  const { commandId } = submission;
  await checkParties(parties, submission);
  const deduplicateFrom = await findDeduplicationStart(ledger, submission.deduplication, now);
  const since = deduplicateFrom ?? timeFromMicros(now - MAX_DEDUPLICATION_PERIOD);
  await checkNotDuplicate(ledger, { key: commandKey(submission), commandId }, since);
  const minLedgerTime = resolveMinLedgerTime(submission.minLedgerTime, now);
  const seed = Buffer.from(host.randomness.bytes(32)).toString("hex");
  const failure = await interpretSubmission(parts, { submission, seed, now, minLedgerTime });
  if (failure === null) return { deduplicateFrom, minLedgerTime };
  if (failure.defect !== null) log.error({ error: failure.defect.stack }, "contract code has a defect");
  throw new LedgerFailure(failure.error);
}

async function checkParties(parties: PartyStore, { actAs, readAs }: CommandSubmission): Promise<void> {
  for (const party of [...actAs, ...readAs]) {
    const known = await parties.find(party);
    const resources = [["PARTY", party]] as const;
    if (known === undefined) {
      const cause = `Party ${party} is not known to this participant`;
      failWith("UNKNOWN_SUBMITTERS", cause, { resources });
    }
    if (!known.isLocal) {
      const cause = `This participant does not host ${party}`;
      failWith("NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT", cause, { resources });
    }
  }
}
