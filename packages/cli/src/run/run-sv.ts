/** The SVs of a network in one process, on the ordered log of a migration id. The first start founds the network. */
import { join } from "node:path";
import { timeFromMicros } from "@callsign/ledger";
import { Closing, gauge, type Host, refuseMarked } from "@callsign/node";
import {
  checkMigrationId,
  checkNotMigrated,
  findLastingTerms,
  findNetworkLog,
  type NetworkPlace,
  type StartedSvs,
  type SvNetworkConfig,
  type SvNode,
  startSvNetwork,
} from "@callsign/sv";
import { logStore, SqliteLog } from "@callsign/synchronizer";
import { checkFoundingTerms } from "../settings/check-founding-terms.ts";
import type { SvSettings, SvSetup } from "../settings/setups.ts";
import type { Role, RoleParts, RunningRole } from "./role.ts";

export function svRole(setup: SvSetup, { files }: Pick<Host, "files">): Role {
  const { dataFolder } = setup;
  const { logName: fileName } = findNetworkLog(placeOf(setup), files);
  // Replicas are made from the log.
  const store = { definition: { ...logStore, fileName }, identityFolders: setup.svs.map(({ name }) => name) };
  const start = (parts: RoleParts) => startNetwork(setup, parts);
  return { name: "sv", setup, dataFolder, store, ports: { api: setup }, start };
}

async function startNetwork(setup: SvSetup, parts: RoleParts): Promise<RunningRole> {
  const closing = new Closing();
  try {
    const { files } = parts.host;
    files.makeFolder(setup.dataFolder);
    const place = placeOf(setup);
    checkNotMigrated(place, files);
    const { logName, replicaFolder } = findNetworkLog(place, files);
    const logPath = join(setup.dataFolder, logName);
    refuseMarked(logPath, files);
    const orderedLog = closing.add(new SqliteLog(logPath, parts.host));
    await checkMigrationId(orderedLog, place, logName);
    const opened = { orderedLog, logPath, replicaFolder };
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
      copyStore: orderedLog.copyTo,
      keys: svs.flatMap(({ keys }) => keys ?? []),
      close: () => closing.close(),
    };
  } catch (error) {
    await closing.close();
    throw error;
  }
}

function addressesOf({ identity, scanUrl, sequencerUrl, appUrl }: SvNode) {
  const { nodeIdentifier: name } = identity;
  return [
    [`scan of ${name}`, `${scanUrl}/api/scan`],
    [`sequencer of ${name}`, sequencerUrl],
    [`SV app of ${name}`, `${appUrl}/api/sv`],
  ] as const;
}

type OpenedLog = Pick<SvNetworkConfig, "orderedLog" | "logPath" | "replicaFolder">;

export function placeOf({ dataFolder, network }: SvSetup): NetworkPlace {
  return { dataFolder, migrationId: network.migrationId };
}

async function startSvs(
  setup: SvSetup,
  { host, log, metrics, ...opened }: RoleParts & OpenedLog,
  closing: Closing,
): Promise<StartedSvs> {
  const { dataFolder, network, tls, callRates, auth } = setup;
  const { spliceInstanceNames, ...founding } = network;
  const founded = await findLastingTerms(opened.orderedLog);
  if (founded !== null) checkFoundingTerms(setup, founded);
  const settings = new Map<string, SvSettings>(setup.svs.map((sv) => [sv.name, sv]));
  const configOf = (name: string) => {
    const { ports, publicUrls, operators, expectedSecrets } = settings.get(name) as SvSettings;
    return {
      ...{ ports, clock: machineTime(host), host: setup.host, user: operators[0] ?? name },
      ...(publicUrls === undefined ? {} : { publicUrls }),
      ...(tls === undefined ? {} : { tls }),
      ...(callRates === undefined ? {} : { callRates }),
      ...(spliceInstanceNames === undefined ? {} : { spliceInstanceNames }),
      log: log.child({ node: name }),
      metrics,
      app: { auth, operators, expectedSecrets },
    };
  };
  const svs = setup.svs.map(({ name, rewardWeight }) => ({
    name,
    ...(rewardWeight === undefined ? {} : { rewardWeight }),
  }));
  return startSvNetwork({ dataFolder, ...opened, svs, configOf, founding }, closing, host);
}

/** The time of the machine, as sequencers stamp it. */
export function machineTime({ clock }: Host) {
  return () => timeFromMicros(BigInt(clock.wallMilliseconds()) * 1000n);
}
