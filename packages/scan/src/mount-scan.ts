/**
 * Scan's API over its index, and the token standard's registry. Every answer carries the record time it stands at, and a
 * call that names a later one waits until scan reaches it. Before scan is ready it refuses lookups with 503, where Splice
 * answers 404: a reader of several scans would take a 404 as proof that the name does not exist.
 */
import {
  type Api,
  type Endpoint,
  type EndpointTable,
  type InstanceNames,
  RECORD_TIME_HEADER,
  registryApi,
  scanApi,
  spliceError,
  WAIT_FOR_HEADER,
} from "@callsign/api";
import { formatTime, type Time } from "@callsign/ledger";
import {
  type FindReady,
  type Handlers,
  type HealthParts,
  health,
  isHealthCall,
  type MountedApi,
  mountApi,
  openToAll,
  Refusal,
  rememberLast,
  type Timers,
} from "@callsign/node";
import { extChangeRoutes } from "./ext/changes.ts";
import { extHistoryRoutes } from "./ext/history.ts";
import { LookupCounts } from "./ext/lookup-counts.ts";
import { extNameRoutes } from "./ext/names.ts";
import { MAX_RECORD_TIME_WAIT_MILLISECONDS } from "./limits/limits.ts";
import { acsRoutes } from "./routes/acs.ts";
import { backfillingRoutes } from "./routes/backfilling.ts";
import { coinActivityRoutes } from "./routes/coin-activities.ts";
import { deprecatedRoutes } from "./routes/deprecated.ts";
import { DEFAULT_INSTANCE_NAMES, directoryRoutes } from "./routes/directory.ts";
import type { AnsweringSv } from "./routes/dso-text.ts";
import { holdingRoutes } from "./routes/holdings.ts";
import { openTurns } from "./routes/in-turns.ts";
import { memberRoutes } from "./routes/members.ts";
import { nameRoutes } from "./routes/names.ts";
import { networkRoutes } from "./routes/network.ts";
import { notOfferedRoutes } from "./routes/not-offered.ts";
import { partyContractRoutes } from "./routes/parties.ts";
import { readTimeText } from "./routes/read-time-text.ts";
import { findReadyNames } from "./routes/ready-names.ts";
import { registryRoutes } from "./routes/registry.ts";
import { roundTotalRoutes } from "./routes/round-totals.ts";
import { ruleRoutes } from "./routes/rounds-and-rules.ts";
import { ScanClock } from "./routes/scan-clock.ts";
import { stampAnswer } from "./routes/stamp-answer.ts";
import { openUpdatePages } from "./routes/update-pages.ts";
import { formerUpdateRoutes, updateRoutes } from "./routes/updates.ts";
import { upgradeRoutes } from "./routes/upgrades.ts";
import { validatorRoutes } from "./routes/validators.ts";
import { scanVoteRoutes } from "./routes/votes.ts";
import type { SoonAnswer } from "./routes/with-headers.ts";
import { withoutStorageRoutes } from "./routes/without-storage.ts";
import type { ScanIndex } from "./rows/scan-index.ts";
import type { ScanSource } from "./rows/scan-source.ts";

export interface ScanParts {
  readonly source: ScanSource;
  readonly sv: AnsweringSv;
  /** Splice's own names if omitted. */
  readonly instanceNames?: InstanceNames | undefined;
  readonly health: HealthParts;
  readonly timers: Timers;
  readonly interceptor?: ScanInterceptor | undefined;
  /** The longest wait of a call that names a record time: ten seconds at most, which is also the default. */
  readonly maxWaitMilliseconds?: number;
}

/** Stands between calls and their answers: the local network's misbehaving scans do. */
export interface ScanInterceptor {
  /** The index that answers are read from. */
  readonly index: ScanIndex;
  /** True while it lets every call and answer pass unchanged. */
  readonly isIdle: () => boolean;
  /** Calls the listener when it begins or ends to change answers. */
  readonly onChanged?: (listener: () => void) => void;
  /** Runs before each call; throwing or rejecting takes the place of the answer. */
  readonly before: () => void | Promise<void>;
  /** The answer to a call with these path parameters; `honest` gives the scan's own. */
  readonly answer: (params: Readonly<Record<string, string>>, honest: () => SoonAnswer) => SoonAnswer;
}

const NOT_READY = "This scan instance has not yet loaded its updates history. Wait a short time and retry.";

/** Two APIs for one port: the registry has no prefix. */
export function mountScan(parts: ScanParts): readonly [scan: MountedApi, registry: MountedApi] {
  const { instanceNames = DEFAULT_INSTANCE_NAMES } = parts;
  const { source, timers, maxWaitMilliseconds = MAX_RECORD_TIME_WAIT_MILLISECONDS } = parts;
  const { refresh, onApplied } = source;
  const { interceptor = honestScan(source.index) } = parts;
  const index = () => interceptor.index;
  const clock = new ScanClock({ now: () => index().now, onApplied, timers, maxWaitMilliseconds });
  const lookups = new LookupCounts(parts.health.clock);
  // Many readers in a row name the same record time.
  const readWanted = rememberLast((text: string) => readTimeText(WAIT_FOR_HEADER, text));
  const mount = <T extends EndpointTable>(api: Api<T>, handlers: Handlers<T, null>): MountedApi => {
    const mounted = mountApi(api, {
      ...openToAll,
      callsNobody: true,
      before: () => interceptor.before(),
      headers: () => ({ [RECORD_TIME_HEADER]: clock.text }),
      handlers,
    });
    const handle: MountedApi["handle"] = (endpoint, request, call) => {
      if (isHealthCall(endpoint)) return mounted.handle(endpoint, request, call);
      if (parts.health.missing() !== null) throw new Refusal(spliceError(503, NOT_READY));
      lookups.count(endpoint);
      refresh();
      const honest = () => mounted.handle(endpoint, request, call);
      const answer = () => interceptor.answer(request.params as Readonly<Record<string, string>>, honest);
      const wanted = call.header(WAIT_FOR_HEADER);
      // Most readers name a record time that scan has reached: they are answered in the same turn.
      const time = wanted === undefined ? clock.now : readWanted(wanted);
      if (clock.now >= time) {
        const given = answer();
        return given instanceof Promise ? stampAnswer(clock, () => given) : given;
      }
      return waitFor(clock, time, call.signal).then(() => {
        refresh();
        return stampAnswer(clock, answer);
      });
    };
    return { ...mounted, handle };
  };
  const findReady: FindReady = (target, headers) => {
    if (!interceptor.isIdle() || parts.health.missing() !== null) return null;
    refresh();
    const wanted = headers[WAIT_FOR_HEADER];
    // The general path refuses a malformed time, for which this throws, and waits for a later one.
    if (wanted !== undefined && readWanted(String(wanted)) > clock.now) return null;
    return findReadyNames(target, index(), parts.health.clock);
  };
  const readInTurns = openTurns({ refresh, timers, clock: parts.health.clock });
  const answerPage = openUpdatePages(index, readInTurns);
  const scan = mount(scanApi, {
    ...nameRoutes(index, parts.health.clock),
    ...ruleRoutes(index),
    ...networkRoutes(index, parts.sv),
    ...directoryRoutes(index, instanceNames),
    ...memberRoutes(index),
    ...partyContractRoutes(index),
    ...holdingRoutes(index),
    ...acsRoutes(index),
    ...scanVoteRoutes(index),
    ...updateRoutes(index, answerPage),
    ...formerUpdateRoutes(index, answerPage),
    ...backfillingRoutes(index),
    ...upgradeRoutes(index),
    ...validatorRoutes(index),
    ...deprecatedRoutes(index),
    ...roundTotalRoutes(index, readInTurns),
    ...coinActivityRoutes(index, readInTurns),
    ...extNameRoutes(index),
    ...extHistoryRoutes(index),
    getLookupStatistics: () => lookups.show(),
    ...extChangeRoutes({ index, refresh, onApplied, timers }),
    ...withoutStorageRoutes(),
    ...notOfferedRoutes(),
    ...health(parts.health),
  });
  const onReadyChanged = (listener: () => void) => {
    onApplied(listener);
    interceptor.onChanged?.(listener);
  };
  const onReady = (endpoint: Endpoint) => lookups.count(endpoint);
  return [
    { ...scan, findReady, hasReadyChannel: true, onReady, onReadyChanged },
    mount(registryApi, registryRoutes(index, instanceNames)),
  ];
}

function honestScan(index: ScanIndex): ScanInterceptor {
  return { index, isIdle: () => true, before: () => undefined, answer: (_params, honest) => honest() };
}

async function waitFor(clock: ScanClock, time: Time, signal: AbortSignal): Promise<void> {
  const reached = await clock.reach(time, signal);
  if (reached === "reached") return;
  const seconds = clock.maxWaitMilliseconds / 1000;
  const problem =
    reached === "too-late"
      ? `it was not reached within ${seconds} seconds: ask again`
      : "too many calls are waiting already: ask again in a second";
  const stand = `This scan stands at record time ${clock.text}, and ${WAIT_FOR_HEADER} names ${formatTime(time)}`;
  throw new Refusal(spliceError(503, `${stand}; ${problem}`));
}
