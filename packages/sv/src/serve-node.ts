/** The APIs of an SV's node, on three ports: its sequencer's, its scan's with the registry, its app's. */
import {
  checkedRarely,
  type HttpServer,
  listeningOf,
  type Metrics,
  type MountedApi,
  sha256,
  startHttpServer,
  type WebPages,
} from "@callsign/node";
import { mountSequencer, type PeerRouteParts, type Sequencer, type StampClock } from "@callsign/synchronizer";
import { mountSvApp } from "./app/mount-sv-app.ts";
import type { OperatorView } from "./app/operator-routes.ts";
import type { OperatorParts } from "./app/operator-rules.ts";
import type { SvApp } from "./app/sv-app.ts";
import { type Follower, findMissing } from "./follow-log.ts";
import type { Core } from "./open-core.ts";
import { watchDamage } from "./scan-workers/watch-damage.ts";
import { type StartedScan, startScan } from "./start-scan.ts";
import type { SvNodeConfig } from "./sv-node-config.ts";

export interface ServedParts extends Core {
  /** The replica's file and its mark. */
  readonly file: StartedScan["file"];
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
  const { replica, streams, sequencer, stamps, follower, goal, app } = parts;
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
    const { pages } = config;
    const start = (mount: MountedApi, port: number, metrics: Metrics | undefined, web?: WebPages) =>
      startHttpServer({
        ...listeningOf({ ...config, port, ...(web && { web }) }),
        mounts: watchDamage([mount], follower.checkDamage),
        ...{ log, system, metrics },
      });
    servers.push(await start(members.mount, ports.sequencer, parts.metrics.sequencer));
    servers.push(
      await startScan(config, {
        ...parts,
        listening: listeningOf({ ...config, port: ports.scan, ...(pages && { web: pages.scan }) }),
        sv: { user, party: app.party },
        ...{ missing, unwritable, metrics: parts.metrics.scan, system },
      }),
    );
    servers.push(await start(svApp, ports.app, parts.metrics.sv, pages?.app));
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
