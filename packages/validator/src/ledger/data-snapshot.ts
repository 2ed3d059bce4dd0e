/**
 * A snapshot for disaster recovery: the participant's identity and users, and the active contracts of the validator's
 * parties at a time.
 */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { DomainMigrationDump } from "@callsign/api";
import { formatInstant, parseTime, type Time, timeFromMicros } from "@callsign/ledger";
import type { Host } from "@callsign/node";
import { ValidatorError } from "../errors/validator-error.ts";
import { MAX_SNAPSHOT_CONTRACTS } from "../limits/limits.ts";
import { everyContractOf, formatOf, namedIfFew, type ReadingParties } from "./event-formats.ts";
import type { LedgerClock } from "./ledger-clock.ts";
import { listActiveEntries } from "./list-active.ts";
import { findSeen } from "./only-seen-by.ts";
import type { ParticipantClient } from "./participant-client.ts";
import { type BothApis, dumpIdentities } from "./participant-identities.ts";
import { listParticipantUsers } from "./participant-users.ts";
import { toUpdatePage } from "./update-page.ts";

const compress = promisify(gzip);

export interface SnapshotParts extends BothApis {
  readonly clock: LedgerClock;
  readonly host: Host;
}

export interface SnapshotRequest {
  readonly parties: ReadonlySet<string>;
  readonly timestamp: string;
  readonly migrationId: number;
  readonly synchronizerId: string;
  /** A time that the ledger has not reached, or whose history was pruned, is accepted too. */
  readonly force: boolean;
}

export async function takeSnapshot(
  parts: SnapshotParts,
  { parties, timestamp, migrationId, synchronizerId, force }: SnapshotRequest,
): Promise<DomainMigrationDump> {
  const { participant, clock, host } = parts;
  const time = readTime(timestamp);
  if (time > clock.now && !force)
    throw invalid(`timestamp: the ledger is at ${formatInstant(clock.now)}. Give a time up to that.`);
  const offset = await findOffset(participant, { parties, time, force });
  return {
    participant: await dumpIdentities(parts),
    participant_users: await listParticipantUsers(participant),
    acs_snapshot: await readContracts(participant, parties, offset),
    acs_timestamp: formatInstant(time),
    dars: [],
    migration_id: migrationId,
    domain_id: synchronizerId,
    created_at: formatInstant(timeFromMicros(BigInt(host.clock.wallMilliseconds()) * 1000n)),
    synchronizer_was_paused: false,
    separate_payload_files: false,
    acs_format: "ledger_api",
  };
}

interface TimeQuery {
  readonly parties: ReadonlySet<string>;
  readonly time: Time;
  readonly force: boolean;
}

/** An offset at which the parties have the contracts of that time. */
async function findOffset(
  participant: ParticipantClient,
  { parties, time, force }: TimeQuery,
): Promise<number> {
  const { client } = participant;
  const { participantPrunedUpToInclusive: pruned } = await client.getLatestPrunedOffsets({});
  const end = await participant.ledgerEnd();
  // The first update behind `high` is later than the time, or there is none.
  let [low, high] = [pruned, end];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const next = await findNextUpdate(participant, { parties: namedIfFew(parties), after: middle, end });
    if (next === undefined || readTime(next.recordTime) > time) high = middle;
    else low = next.offset;
  }
  if (low > pruned || pruned === 0 || force) return low;
  throw invalid(
    "timestamp: the participant may have pruned the history of that time. Give a later time, or force=true.",
  );
}

async function findNextUpdate(
  { client }: ParticipantClient,
  { parties, after, end }: { readonly parties: ReadingParties; readonly after: number; readonly end: number },
) {
  for (let from = after; from < end; ) {
    const updates = await client.listUpdates({
      query: { limit: 1n },
      body: { beginExclusive: from, endInclusive: end, updateFormat: formatOf(parties, "ledger-effects") },
    });
    const { transactions, offset } = toUpdatePage(updates, from);
    if (transactions[0] !== undefined) return transactions[0];
    if (offset <= from) return undefined;
    from = offset;
  }
  return undefined;
}

async function readContracts(
  participant: ParticipantClient,
  parties: ReadonlySet<string>,
  activeAtOffset: number,
): Promise<string> {
  const lines: string[] = [];
  const query = { eventFormat: everyContractOf(namedIfFew(parties)), activeAtOffset };
  for await (const page of listActiveEntries(participant, query)) {
    for (const contract of page) {
      const createdEvent = findSeen(parties, contract.createdEvent);
      if (createdEvent !== undefined) lines.push(`${JSON.stringify({ ...contract, createdEvent })}\n`);
    }
    if (lines.length > MAX_SNAPSHOT_CONTRACTS)
      throw invalid(
        `The parties have more than ${MAX_SNAPSHOT_CONTRACTS} contracts, too many for one answer: back up the participant instead.`,
      );
  }
  return (await compress(lines.join(""))).toString("base64");
}

function readTime(text: string): Time {
  const time = parseTime(text);
  if (time.ok) return time.value;
  throw invalid(`timestamp: ${time.error}`);
}

function invalid(text: string): ValidatorError {
  return new ValidatorError({ kind: "invalid-request", text });
}
