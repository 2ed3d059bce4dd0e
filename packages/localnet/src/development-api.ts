/** Port 5003, for developers: the health of the whole network, its clock, its snapshots, and scans that misbehave on request. */
import {
  localNetworkApi,
  type Rejection,
  type ScanBehaviour,
  spliceError,
  type UserOfNetwork,
} from "@callsign/api";
import { formatTime, type Time, time } from "@callsign/ledger";
import {
  type MountedApi,
  mountApi,
  openToAll,
  Refusal,
  Reply,
  type Timers,
  waitAtMost,
} from "@callsign/node";
import type { ClockMoves } from "./clock-moves.ts";
import { MOVE_ANSWER_MILLISECONDS } from "./limits.ts";
import type { NetworkSnapshots } from "./network-snapshots.ts";
import type { HealthChecks, HealthPath } from "./readiness.ts";
import { SnapshotRefused } from "./snapshot-refused.ts";
import { makeToken } from "./tokens.ts";

/** Times end with the year 9999: names bought before this one have room to expire. */
const LAST_TIME = time("9900-01-01T00:00:00Z");

export interface DevelopmentParts {
  readonly health: () => HealthChecks;
  readonly now: () => Time;
  readonly clockMoves: () => ClockMoves;
  readonly snapshots: NetworkSnapshots;
  readonly timers: Timers;
  readonly svs: readonly unknown[];
  readonly users: readonly UserOfNetwork[];
  readonly listScanBehaviours: () => readonly ScanBehaviour[];
  readonly setScanBehaviour: (place: number, behaviour: ScanBehaviour) => void;
}

export function mountDevelopment(parts: DevelopmentParts): MountedApi {
  const checkAll = async (path: HealthPath) => {
    checkStands(parts);
    const missing = await parts.health().listSilent(path);
    if (missing.length > 0) throw new Refusal(spliceError(503, `These do not answer: ${missing.join(", ")}`));
    return undefined;
  };
  const longMoves = new LongMoves(parts);
  const mount = mountApi(localNetworkApi, {
    ...openToAll,
    rejectionOf: explainRefused,
    handlers: {
      isReady: () => checkAll("/readyz"),
      isLive: () => checkAll("/livez"),
      ...snapshotHandlers(parts.snapshots),
      getClock: () => showClock(parts),
      moveClock: async ({ body }) => {
        checkStands(parts);
        const forward = BigInt(body.forwardSeconds) * 1_000_000n;
        if (parts.now() + forward > LAST_TIME) {
          const from = `The network is at ${formatTime(parts.now())}, and its clock goes to ${formatTime(LAST_TIME)}`;
          throw new Refusal(spliceError(400, `${from}: ${body.forwardSeconds} seconds are too many`));
        }
        return longMoves.begin(forward, body.everyRound ?? false);
      },
      listScans: () => ({
        scans: parts.listScanBehaviours().map((behaviour, place) => ({ number: place + 1, behaviour })),
      }),
      listUsers: () => ({ users: [...parts.users] }),
      makeToken: async ({ params: { user } }) => ({ token: await makeToken(user) }),
      setScanBehaviour: async ({ params, body }) => {
        const place = Number(params.number);
        if (place > parts.svs.length) {
          const error = `There is no scan ${place}: they are numbered 1 to ${parts.svs.length}`;
          throw new Refusal(spliceError(404, error));
        }
        checkStands(parts);
        parts.setScanBehaviour(place - 1, body.behaviour);
        return { behaviour: body.behaviour };
      },
    },
  });
  // Splice's clients ask under the validator's prefix, too.
  return { ...mount, api: { ...mount.api, basePath: "/api/validator" } };
}

function checkStands({ snapshots }: DevelopmentParts): void {
  if (!snapshots.isRestoring) return;
  throw new Refusal(spliceError(503, "A snapshot is being restored: try again in a moment."));
}

function snapshotHandlers(snapshots: NetworkSnapshots) {
  interface Named {
    readonly params: { readonly name: string };
  }
  return {
    saveSnapshot: ({ body }: { readonly body: { readonly name: string } }) => snapshots.save(body.name),
    listSnapshots: () => ({ snapshots: [...snapshots.list()] }),
    restoreSnapshot: ({ params }: Named) => snapshots.restore(params.name),
    deleteSnapshot: async ({ params }: Named) => {
      await snapshots.delete(params.name);
      return undefined;
    },
  };
}

function explainRefused(error: unknown): Rejection | null {
  return error instanceof SnapshotRefused ? spliceError(error.status, error.message) : null;
}

type ClockParts = Pick<DevelopmentParts, "now" | "clockMoves" | "timers">;

function showClock({ now, clockMoves }: ClockParts) {
  const { current } = clockMoves();
  const time = formatTime(now());
  if (current === null) return { time };
  const { from, to, failure } = current;
  return { time, move: { from: formatTime(from), to: formatTime(to), failure } };
}

/** Answers once a move is done, or after a while with the place that it has come to. */
class LongMoves {
  readonly #parts: ClockParts;
  /** Moves that were answered before they were done. */
  #unfinished = 0;

  constructor(parts: ClockParts) {
    this.#parts = parts;
  }

  async begin(microseconds: bigint, everyRound: boolean) {
    const { clockMoves, timers, now } = this.#parts;
    const { current } = clockMoves();
    if (this.#unfinished > 0 && current !== null) {
      const way = `The clock is on its way to ${formatTime(current.to)}, and stands at ${formatTime(now())}`;
      throw new Refusal(
        spliceError(409, `${way}. Wait for it: GET /ext/v1/clock shows the move until it is done`),
      );
    }
    const moving = clockMoves().move(microseconds, { everyRound });
    let isDone = false;
    const done = moving.then(() => {
      isDone = true;
    });
    try {
      await waitAtMost(done, MOVE_ANSWER_MILLISECONDS, timers);
    } catch (error) {
      throw this.#explain(error);
    }
    if (isDone) return { time: formatTime(now()) };
    this.#unfinished++;
    const end = () => {
      this.#unfinished--;
    };
    // `GET /ext/v1/clock` shows its failure.
    moving.then(end, end);
    return new Reply(showClock(this.#parts), { status: 202, headers: { location: "/ext/v1/clock" } });
  }

  /** The clock has moved although the automations did not settle in time. */
  #explain(error: unknown): unknown {
    if (!(error instanceof DOMException) || error.name !== "TimeoutError") return error;
    const stand = `The clock stands at ${formatTime(this.#parts.now())}, but not every automation has finished`;
    return new Refusal(spliceError(503, `${stand}. Is every part up? See /readyz`));
  }
}
