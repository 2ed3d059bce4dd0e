/** Port 5003: the network as a whole, for developers. Is it up, what time is it there, which scan misbehaves. */
import { localNetworkApi, type ScanBehaviour, spliceError } from "@callsign/api";
import { formatTime, type Time } from "@callsign/ledger";
import { type MountedApi, mountApi, openToAll, Refusal } from "@callsign/server";

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
      moveClock: async ({ body }) => ({
        time: formatTime(await parts.moveClock(BigInt(body.forwardSeconds) * 1_000_000n)),
      }),
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
