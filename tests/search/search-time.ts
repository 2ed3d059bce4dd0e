/**
 * A log that four SVs stamp, in any order: honest ones with clocks that are right or late, liars with anything. The product's own
 * rule gives the record time of each entry.
 */

import type { LedgerView, Network } from "../../packages/ledger/src/transition/ledger-view.ts";
import { DEFAULT_CLOCK_TOLERANCE } from "../../packages/ledger/src/transition/limits.ts";
import type { LogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import { effectiveTime } from "../../packages/ledger/src/transition/record-time.ts";
import { DAY, SECOND } from "../../packages/ledger/src/values/duration.ts";
import { MAX_TIME, MIN_TIME, type Time } from "../../packages/ledger/src/values/time.ts";
import { type Explored, explore, type Step } from "./explore.ts";

export const STOLEN = "the record time is further ahead of every right clock than the tolerance";
export const BACK = "the record time goes back";

interface TimeState {
  /** The entries that may still come. */
  readonly left: number;
  /** The most advanced clock that is right. */
  readonly clock: bigint;
  readonly recordTime: bigint;
  /** The last stamp of each SV. */
  readonly stamps: readonly bigint[];
  readonly hasGoneBack: boolean;
}

const SVS = ["sv-1", "sv-2", "sv-3", "sv-4"];
/** How late the clocks of SVs are that do not lie. */
const LATE = [0n, 50n * SECOND, 0n, 0n];
const START = 20_000n * DAY;
const NETWORK = { protocolVersion: 4n, svs: SVS, clockOffset: 0n } as unknown as Network;

/** The SVs from this one on lie. */
export function searchTime({
  entries,
  firstLiar,
}: {
  readonly entries: number;
  readonly firstLiar: number;
}): Explored {
  const start = {
    left: entries,
    clock: START,
    recordTime: START,
    stamps: SVS.map(() => START),
    hasGoneBack: false,
  };
  return explore(
    {
      start: encode(start),
      steps: (text) => stepsOf(decode(text), firstLiar),
      check: (text) => {
        const { left, clock, recordTime, hasGoneBack } = decode(text);
        // Each entry is later than the one before it.
        const latest = clock + DEFAULT_CLOCK_TOLERANCE + BigInt(entries - left);
        return recordTime > latest ? STOLEN : hasGoneBack ? BACK : null;
      },
    },
    { maxStates: 2_000_000 },
  );
}

function* stepsOf(state: TimeState, firstLiar: number): Generator<Step> {
  if (state.left === 0) return;
  for (const passed of [0n, DAY]) {
    const clock = state.clock + passed;
    for (const sv of SVS.keys()) {
      const stamps = sv < firstLiar ? [clock - (LATE[sv] ?? 0n)] : [MIN_TIME, clock, clock + DAY, MAX_TIME];
      for (const stampedAt of stamps) {
        const next = stampBy({ ...state, clock }, sv, stampedAt);
        yield {
          state: encode(next),
          describe: () =>
            `${passed / SECOND} s later ${SVS[sv]} stamps ${stampedAt}: it is ${next.recordTime}`,
        };
      }
    }
  }
}

function stampBy(state: TimeState, sv: number, stampedAt: bigint): TimeState {
  const view: Pick<LedgerView, "head" | "network" | "findMember" | "findStamp"> = {
    head: { sequence: 0, entryHash: "", digest: "", recordTime: state.recordTime as Time },
    network: NETWORK,
    findMember: (id) => ({ id, namespaceKey: "", namespace: "", signingKeys: [id], keySerial: 0n }),
    findStamp: (id) => state.stamps[SVS.indexOf(id)] as Time | undefined,
  };
  const entry: LogEntry = {
    ...{ sequence: 1, previousHash: "", content: "", signatures: [], stampedAt: stampedAt as Time },
    stampedBy: { publicKey: SVS[sv] ?? "", signature: "" },
  };
  const { now, stamp } = effectiveTime(entry, view as LedgerView, () => true);
  const stamps = state.stamps.map((last, i) => (i === sv && stamp !== null ? stamp.stampedAt : last));
  return { ...state, left: state.left - 1, recordTime: now, stamps, hasGoneBack: now <= state.recordTime };
}

function encode({ left, clock, recordTime, stamps, hasGoneBack }: TimeState): string {
  return [left, clock, recordTime, hasGoneBack ? 1 : 0, ...stamps].join(" ");
}

function decode(text: string): TimeState {
  const [left = "", clock = "", recordTime = "", back, ...stamps] = text.split(" ");
  return {
    ...{ left: Number(left), clock: BigInt(clock), recordTime: BigInt(recordTime) },
    ...{ stamps: stamps.map(BigInt), hasGoneBack: back === "1" },
  };
}
