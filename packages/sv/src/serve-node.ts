/** The APIs of an SV's node, on three ports: its sequencer's, its scan's with the registry, its app's. */
import {
  checkedRarely,
  type HttpServer,
  listeningOf,
  type Metrics,
  type MountedApi,
  sha256,
  startHttpServer,
} from "@callsign/node";
import { mountScan, ownSource } from "@callsign/scan";
import { mountSequencer, type PeerRouteParts, type Sequencer, type StampClock } from "@callsign/synchronizer";
import { mountSvApp } from "./app/mount-sv-app.ts";
import type { OperatorView } from "./app/operator-routes.ts";
import type { OperatorParts } from "./app/operator-rules.ts";
import type { SvApp } from "./app/sv-app.ts";
import { type Follower, findMissing } from "./follow-log.ts";
import { type Core, ownerOf, replicaPath } from "./open-core.ts";
import { startScanWorkers } from "./scan-workers/start-scan-workers.ts";
import type { SvNodeConfig } from "./sv-node-config.ts";

export interface ServedParts extends Core {
  readonly sequencer: Sequencer;
  readonly stamps: StampClock;
  readonly follower: Follower;
  /** The log's head at the start: until the replica reaches it, answers would be stale. */
  readonly goal: number;
  readonly app: SvApp;
  readonly operators: OperatorParts;
  readonly automations: OperatorView["automations"];
  /** The reason why the app is not ready although the node is; null if there is none. */
  readonly missingForApp: () => string | null;
  /** The reason why nobody can say whose replica is right; null if there is none. */
  readonly dispute: () => string | null;
  /** The reason why the node acts for no SV; null if there is none. */
  readonly standing: () => string | null;
  /** For the other SVs. */
  readonly peerRoutes: PeerRouteParts;
  /** The registries of its applications' metrics. */
  readonly metrics: Readonly<Record<"sequencer" | "scan" | "sv", Metrics | undefined>>;
}

export async function serveNode(config: SvNodeConfig, parts: ServedParts) {
  const { ports, log, clock, name, user } = config;
  const { replica, streams, index, sequencer, stamps, follower, goal, app } = parts;
  const { host: system } = app;
  const { dispute, standing } = parts;
  const missing = () => findMissing({ follower, replica, goal, dispute, standing });
  const unwritable = checkedRarely(
    () => follower.trouble()?.reason ?? config.orderedLog.unwritable(),
    system.clock,
  );
  const servers: HttpServer[] = [];
  const health = (role: string, place: number) => ({
    id: `${role} ${name}`,
    ...{ missing, unwritable },
    port: () => servers[place]?.port ?? 0,
    clock: system.clock,
  });
  const members = mountSequencer({
    identity: config.identity,
    log: config.orderedLog,
    ...{ replica, streams, sequencer, hash: sha256, checks: config.checks, clock, host: system },
    health: { ...health("sequencer", 0), missing: () => missing() ?? stamps.trouble() },
    metrics: parts.metrics.sequencer,
    peers: parts.peerRoutes,
    refusal: standing,
  });
  const startScan = (): Promise<HttpServer> => {
    const { scanWorkers: count = 1, spliceInstanceNames: instanceNames } = config;
    const [listening, sv] = [listeningOf({ ...config, port: ports.scan }), { user, party: app.party }];
    const metrics = parts.metrics.scan;
    if (count > 1) {
      const place = { path: replicaPath(config), owner: ownerOf(config), id: `scan ${name}` };
      const options = { ...place, listening, sv, instanceNames };
      return startScanWorkers({
        ...{ ...parts, count, options, missing, unwritable, log, metrics, system },
        onDamage: follower.checkDamage,
      });
    }
    const mounts = mountScan({
      source: ownSource(index, replica),
      ...{ sv, instanceNames, timers: system.timers },
      health: health("scan", 1),
      interceptor: config.interceptScan?.(index),
    });
    return startHttpServer({ ...listening, mounts: watchDamage(mounts, follower), log, system, metrics });
  };
  const svApp = mountSvApp({
    app,
    user,
    automations: parts.automations,
    operators: parts.operators,
    approvedSvs: config.approvedSvs ?? [],
    health: {
      ...health("sv", 2),
      missing: () => missing() ?? follower.trouble()?.reason ?? stamps.trouble() ?? parts.missingForApp(),
    },
  });
  try {
    const start = (mount: MountedApi, port: number, metrics: Metrics | undefined) =>
      startHttpServer({
        ...listeningOf({ ...config, port }),
        mounts: watchDamage([mount], follower),
        ...{ log, system, metrics },
      });
    servers.push(await start(members.mount, ports.sequencer, parts.metrics.sequencer));
    servers.push(await startScan());
    servers.push(await start(svApp, ports.app, parts.metrics.sv));
  } catch (error) {
    await Promise.all(servers.map((server) => server.close()));
    throw error;
  }
  return {
    servers: servers as [HttpServer, HttpServer, HttpServer],
    missing: () => missing() ?? stamps.trouble() ?? parts.missingForApp() ?? unwritable(),
    closeFollowers: members.close,
  };
}

/** A call may be the first to read a damaged page or row. */
export function watchDamage(
  mounts: readonly MountedApi[],
  follower: Follower,
): [MountedApi, ...MountedApi[]] {
  const watch = (mount: MountedApi): MountedApi => ({
    ...mount,
    rejectionOf: (error, endpoint) => {
      follower.checkDamage(error);
      return mount.rejectionOf?.(error, endpoint) ?? null;
    },
  });
  return mounts.map(watch) as [MountedApi, ...MountedApi[]];
}
