/** Snapshots of all coin, and the coin of owners at one. */
import { findPartyProblem, type HoldingsSummary, spliceError, unexpectedError } from "@callsign/api";
import { formatInstant, OpenMiningRound, type Time } from "@callsign/ledger";
import { Refusal } from "@callsign/node";
import { summarizeHoldings } from "../holdings/holdings-summary.ts";
import { MAX_HOLDERS, MAX_LISTED_CONTRACTS } from "../limits/limits.ts";
import type { Snapshot } from "../rows/holding-rows.ts";
import type { ScanIndex } from "../rows/scan-index.ts";
import { atMost } from "./at-most.ts";
import { readTimeText } from "./read-time-text.ts";
import type { ScanHandlers } from "./scan-handlers.ts";

export function holdingRoutes(index: () => ScanIndex) {
  /** Undefined for another migration than the network's: a scan has the snapshots of one. */
  const holdingsOf = (migrationId: bigint) => {
    const { holdings, network } = index();
    return network?.migrationId === migrationId ? holdings : undefined;
  };
  return {
    getDateOfMostRecentSnapshotBefore: ({ query: { before, migration_id } }) => {
      const time = readTimeText("before", before);
      return showTime(
        holdingsOf(migration_id)?.findSnapshotAtOrBefore(time),
        `No snapshots found before ${before}`,
      );
    },
    getDateOfFirstSnapshotAfter: ({ query: { after, migration_id } }) => {
      const time = readTimeText("after", after);
      return showTime(holdingsOf(migration_id)?.findSnapshotAfter(time), `No snapshots found after ${after}`);
    },
    getHoldingsSummaryAt: ({ body }) => {
      const { migration_id, record_time, record_time_match, as_of_round } = body;
      const time = readTimeText("record_time", record_time);
      const owners = readOwners(body.owner_party_ids);
      const { holdings, contracts } = index();
      const found = holdingsOf(BigInt(migration_id))?.findSnapshotAtOrBefore(time);
      const isExact = record_time_match !== "at_or_before";
      if (found === undefined || (isExact && found.recordTime !== time)) {
        const text = `Failed to find ACS snapshot for migration id ${migration_id} at ${record_time}`;
        throw new Refusal(spliceError(404, text));
      }
      const round = as_of_round ?? contracts.findLowestRound(OpenMiningRound);
      if (round === undefined) throw new Refusal(unexpectedError());
      return {
        record_time: formatInstant(found.recordTime),
        migration_id,
        computed_as_of_round: Number(round),
        summaries: summarize(holdings, { owners, snapshot: found.recordTime, round: BigInt(round) }),
      };
    },
  } satisfies ScanHandlers;
}

/** Summaries in the order of the owners; an owner without coin has none. */
function summarize(
  holdings: ScanIndex["holdings"],
  asked: { readonly owners: readonly string[]; readonly snapshot: Time; readonly round: bigint },
): HoldingsSummary[] {
  let left = MAX_LISTED_CONTRACTS;
  return asked.owners.flatMap((owner) => {
    const coins = holdings.listAt(asked.snapshot, owner, left + 1);
    left -= coins.length;
    if (left < 0) {
      const text = `These owners have more than ${MAX_LISTED_CONTRACTS} coins: ask for fewer of them at once.`;
      throw new Refusal(spliceError(400, text));
    }
    return coins.length === 0 ? [] : [summarizeHoldings(owner, coins, asked.round)];
  });
}

export function readOwners(given: readonly string[]): readonly string[] {
  if (given.length === 0) {
    const text = "Expected 'ownerPartyIds' to contain at least one item, but contained none.";
    throw new Refusal(spliceError(400, text));
  }
  const owners = atMost(MAX_HOLDERS, "ownerPartyIds", given);
  for (const owner of owners) {
    const problem = findPartyProblem(owner);
    if (problem !== undefined) throw new Refusal(spliceError(400, problem));
  }
  return owners;
}

function showTime(snapshot: Snapshot | undefined, missing: string): { record_time: string } {
  if (snapshot === undefined) throw new Refusal(spliceError(404, missing));
  return { record_time: formatInstant(snapshot.recordTime) };
}
