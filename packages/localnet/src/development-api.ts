/** Port 5003: the network as a whole, for developers. Is it up, what time is it there, which scan misbehaves. */
import { localNetworkApi, type ScanBehaviour, spliceError } from "@callsign/api";
import { formatTime, type Time, time } from "@callsign/ledger";
import { type MountedApi, mountApi, openToAll, Refusal } from "@callsign/node";

/** Times end with the year 9999; what is bought before this has room to expire. */
const LAST_TIME = time("9900-01-01T00:00:00Z");

export interface DevelopmentParts {
  /** The endpoints that do not answer, by name. */
  readonly listMissing: (path: "/readyz" | "/livez") => Promise<readonly string[]>;
  readonly now: () => Time;
  /** Resolves with the new time once the automations have seen it. */
  readonly moveClock: (microseconds: bigint) => Promise<Time>;
  readonly scanCount: number;
  readonly setScanBehaviour: (place: number, behaviour: ScanBehaviour) => Promise<void>;
}

export function mountDevelopment(parts: DevelopmentParts): MountedApi {
  const checkAll = async (path: "/readyz" | "/livez") => {
    const missing = await parts.listMissing(path);
    if (missing.length > 0) throw new Refusal(spliceError(503, `These do not answer: ${missing.join(", ")}`));
    return undefined;
  };
  return mountApi(localNetworkApi, {
    ...openToAll,
    handlers: {
      isReady: () => checkAll("/readyz"),
      isLive: () => checkAll("/livez"),
      getClock: () => ({ time: formatTime(parts.now()) }),
      moveClock: async ({ body }) => {
        const forward = BigInt(body.forwardSeconds) * 1_000_000n;
        if (parts.now() + forward > LAST_TIME) {
          const from = `The network is at ${formatTime(parts.now())}, and its clock goes to ${formatTime(LAST_TIME)}`;
          throw new Refusal(spliceError(400, `${from}: ${body.forwardSeconds} seconds are too many`));
        }
        return { time: formatTime(await parts.moveClock(forward).catch(unfinished(parts.now))) };
      },
      setScanBehaviour: async ({ params, body }) => {
        const place = Number(params.number);
        if (place > parts.scanCount) {
          const error = `There is no scan ${place}: they are numbered 1 to ${parts.scanCount}`;
          throw new Refusal(spliceError(404, error));
        }
        await parts.setScanBehaviour(place - 1, body.behaviour);
        return { behaviour: body.behaviour };
      },
    },
  });
}

/** The clock has moved all the same. */
function unfinished(now: () => Time): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof DOMException) || error.name !== "TimeoutError") throw error;
    const stand = `The clock stands at ${formatTime(now())}, but not every automation has finished`;
    throw new Refusal(spliceError(503, `${stand}. Is every part up? See /readyz`));
  };
}
