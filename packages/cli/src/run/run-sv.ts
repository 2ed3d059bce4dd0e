/**
 * SVs of a network in one process, on the ordered log of a migration id. With a log of their own they are all of its SVs, and
 * the first start founds the network; on a shared log they wait for `callsign network found`.
 */
import { join } from "node:path";
import { DAY, timeFromMicros } from "@callsign/ledger";
import { Closing, findMemberIdentity, gauge, type Host } from "@callsign/node";
import {
  findLastingTerms,
  findNetworkLog,
  type StartedSvs,
  type SvNetworkConfig,
  type SvNode,
  startSvNetwork,
} from "@callsign/sv";
import { findLogStart, logStore } from "@callsign/synchronizer";
import { checkFoundingTerms } from "../settings/check-founding-terms.ts";
import type { SvSettings, SvSetup } from "../settings/setups.ts";
import { LOG_COPY, openFollowedLog, placeOf, type SnapshotPlaces } from "./open-network-log.ts";
import type { Role, RoleParts, RunningRole } from "./role.ts";
import { waitForNetwork } from "./wait-for-network.ts";

export function svRole(setup: SvSetup, { files }: Pick<Host, "files">): Role {
  const { dataFolder } = setup;
  const isShared = setup.orderedLog.kind !== "sqlite";
  const fileName = isShared ? LOG_COPY : findNetworkLog(placeOf(setup), files).logName;
  // Replicas are made from the log.
  const identityFolders = setup.svs.map(({ name }) => name);
  const store = { definition: { ...logStore, fileName }, identityFolders, findLogStart };
  const start = (parts: RoleParts) => startNetwork(setup, parts);
  return { name: "sv", setup, dataFolder, store, ports: { api: setup }, start };
}

async function startNetwork(setup: SvSetup, parts: RoleParts): Promise<RunningRole> {
  const closing = new Closing();
  try {
    const { host } = parts;
    const {
      log: orderedLog,
      place,
      ...rest
    } = await openFollowedLog(setup, { host, closing, log: parts.log }, snapshotsOf(setup, host));
    const isShared = setup.orderedLog.kind !== "sqlite";
    if (isShared) await waitForNetwork(orderedLog, place, parts);
    const opened = { orderedLog, logPath: place, replicaFolder: rest.replicaFolder, isShared };
    const { svs, stopped } = await startSvs(setup, { ...parts, ...opened }, closing);
    for (const [sv, reason] of stopped)
      parts.log.error({ sv, reason }, "an SV does not run; the others go on without it");
    const missing = () => {
      const reasons = svs.map((node) => ({ name: node.identity.nodeIdentifier, reason: node.missing() }));
      const found = reasons.find(({ reason }) => reason !== null);
      return found === undefined ? null : `${found.name}: ${found.reason}`;
    };
    const ready = gauge("daml_health_status", "1 if the node is ready, and 0 if it is not.");
    parts.metrics.labelled({ node_type: "sv" }).declare(ready, () => (missing() === null ? 1 : 0));
    return {
      addresses: Object.fromEntries(svs.flatMap(addressesOf)),
      missing,
      position: async () => ({ sequence: String((await orderedLog.head()).sequence) }),
      copyStore: rest.copyTo,
      keys: svs.flatMap(({ keys }) => keys ?? []),
      activation: svs[0]?.activation,
      close: () => closing.close(),
    };
  } catch (error) {
    await closing.close();
    throw error;
  }
}

/** The folders and SVs that may have a snapshot for a process that is late. */
function snapshotsOf({ dataFolder, svs, snapshotSources: urls }: SvSetup, host: Host): SnapshotPlaces {
  const [first = dataFolder, ...others] = svs.map(({ name }) => join(dataFolder, name));
  const identity = findMemberIdentity(first, host);
  return { folders: [first, ...others], urls, ...(identity === null ? {} : { identity }) };
}

function addressesOf({ identity, scanUrl, sequencerUrl, appUrl }: SvNode) {
  const { nodeIdentifier: name } = identity;
  return [
    [`scan of ${name}`, `${scanUrl}/api/scan`],
    [`sequencer of ${name}`, sequencerUrl],
    [`SV app of ${name}`, `${appUrl}/api/sv`],
  ] as const;
}

type OpenedLog = Pick<SvNetworkConfig, "orderedLog" | "logPath" | "replicaFolder" | "isShared">;

async function startSvs(
  setup: SvSetup,
  { host, log, metrics, supportedVersions, ...given }: RoleParts & OpenedLog,
  closing: Closing,
): Promise<StartedSvs> {
  const { orderedLog, logPath, replicaFolder, isShared = false } = given;
  const { dataFolder, network, tls, callRates, auth, retentionDays } = setup;
  const { spliceInstanceNames, ...founding } = network;
  const founded = await findLastingTerms(orderedLog);
  if (founded !== null) checkFoundingTerms(setup, founded);
  const settings = new Map<string, SvSettings>(setup.svs.map((sv) => [sv.name, sv]));
  const configOf = (name: string) => {
    const { ports, publicUrls, operators, expectedSecrets, joining } = settings.get(name) as SvSettings;
    return {
      ...{ ports, clock: machineTime(host), host: setup.host, user: operators[0] ?? name },
      scanWorkers: setup.workers,
      ...(publicUrls === undefined ? {} : { publicUrls }),
      ...(tls === undefined ? {} : { tls }),
      ...(callRates === undefined ? {} : { callRates }),
      ...(supportedVersions === undefined ? {} : { supportedVersions }),
      ...(spliceInstanceNames === undefined ? {} : { spliceInstanceNames }),
      ...(retentionDays === undefined ? {} : { retentionMicroseconds: BigInt(retentionDays) * DAY }),
      snapshotUrls: setup.snapshotSources,
      log: log.child({ node: name }),
      metrics,
      app: { auth, operators, expectedSecrets },
      pages: setup.pages,
      approvedSvs: setup.approvedSvs,
      ...(joining === undefined ? {} : { joining }),
    };
  };
  const svs = setup.svs.map(({ name, rewardWeight }) => ({
    name,
    ...(rewardWeight === undefined ? {} : { rewardWeight }),
  }));
  const opened = {
    ...{ orderedLog, logPath, isShared },
    ...(replicaFolder === undefined ? {} : { replicaFolder }),
  };
  return startSvNetwork({ dataFolder, ...opened, svs, configOf, founding }, closing, host);
}

/** The time of the machine, as sequencers stamp it. */
export function machineTime({ clock }: Host) {
  return () => timeFromMicros(BigInt(clock.wallMilliseconds()) * 1000n);
}
