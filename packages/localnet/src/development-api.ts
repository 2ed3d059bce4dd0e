/** Port 5003, for developers: the health of the whole network, its clock, and scans that misbehave on request. */
import { localNetworkApi, type ScanBehaviour, spliceError } from "@callsign/api";
import { formatTime, type Time, time } from "@callsign/ledger";
import { type MountedApi, mountApi, openToAll, Refusal } from "@callsign/node";
import type { HealthChecks, HealthPath } from "./readiness.ts";

/** Times end with the year 9999: names bought before this one have room to expire. */
const LAST_TIME = time("9900-01-01T00:00:00Z");

export interface DevelopmentParts {
  readonly health: HealthChecks;
  readonly now: () => Time;
  /** Resolves with the new time once the automations have seen it. */
  readonly moveClock: (microseconds: bigint) => Promise<Time>;
  readonly svs: readonly unknown[];
  readonly setScanBehaviour: (place: number, behaviour: ScanBehaviour) => void;
}

export function mountDevelopment(parts: DevelopmentParts): MountedApi {
  const checkAll = async (path: HealthPath) => {
    const missing = await parts.health.listSilent(path);
    if (missing.length > 0) throw new Refusal(spliceError(503, `These do not answer: ${missing.join(", ")}`));
    return undefined;
  };
  const mount = mountApi(localNetworkApi, {
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
        if (place > parts.svs.length) {
          const error = `There is no scan ${place}: they are numbered 1 to ${parts.svs.length}`;
          throw new Refusal(spliceError(404, error));
        }
        parts.setScanBehaviour(place - 1, body.behaviour);
        return { behaviour: body.behaviour };
      },
    },
  });
  // Splice's clients ask under the validator's prefix, too.
  return { ...mount, api: { ...mount.api, basePath: "/api/validator" } };
}

/** The clock has moved although the automations did not settle in time. */
function unfinished(now: () => Time): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof DOMException) || error.name !== "TimeoutError") throw error;
    const stand = `The clock stands at ${formatTime(now())}, but not every automation has finished`;
    throw new Refusal(spliceError(503, `${stand}. Is every part up? See /readyz`));
  };
}
