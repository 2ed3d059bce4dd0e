/** The scrub of one SV: its replica, everything that is derived from it, and the log. */
import type { Hash } from "@callsign/ledger";
import type { OrderedLog } from "../log/ordered-log.ts";
import type { ReplicaConsumer } from "../replica/consumer.ts";
import type { Replica } from "../replica/replica.ts";
import { MemberStreams } from "../streams/member-streams.ts";
import { Scrub, type ScrubParts } from "./scrub.ts";
import { scrubContracts } from "./scrub-contracts.ts";
import { scrubHostings } from "./scrub-hostings.ts";
import { type IndexParts, scrubIndex } from "./scrub-index.ts";
import { scrubLog } from "./scrub-log.ts";
import { scrubOrphans } from "./scrub-orphans.ts";
import { scrubRows } from "./scrub-rows.ts";
import { scrubStreams } from "./scrub-streams.ts";
import { scrubTableIndexes } from "./scrub-table-indexes.ts";

export interface OpenScrubParts
  extends Omit<ScrubParts, "parts" | "database">,
    Pick<IndexParts, "openMemory" | "openConsumers"> {
  readonly replica: Replica;
  readonly orderedLog: OrderedLog;
  readonly consumers: readonly ReplicaConsumer[];
  readonly hash: Hash;
}

export function openScrub(given: OpenScrubParts): Scrub {
  const { replica, orderedLog, consumers, hash, openMemory, openConsumers } = given;
  const { state } = replica;
  const { database } = state;
  return new Scrub({
    ...given,
    database,
    parts: [
      ...scrubRows(state, consumers),
      scrubContracts(replica, hash),
      scrubIndex({ state, openMemory, openConsumers }),
      ...scrubOrphans(state, consumers),
      // A scan without an SV has no streams.
      ...(consumers.some((each) => each instanceof MemberStreams)
        ? [...scrubHostings(database), scrubStreams(state, hash)]
        : []),
      ...scrubTableIndexes(database),
      scrubLog(orderedLog, hash),
    ],
  });
}
