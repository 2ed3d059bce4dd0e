/** A scan as a process of its own, which follows a shared log. */
import { CannotStart, Closing, gauge } from "@callsign/node";
import { startScanNode } from "@callsign/sv";
import { logStore } from "@callsign/synchronizer";
import type { ScanSetup } from "../settings/setups.ts";
import { LOG_COPY, openFollowedLog } from "./open-network-log.ts";
import type { Role, RoleParts, RunningRole } from "./role.ts";
import { waitForNetwork } from "./wait-for-network.ts";

export function scanRole(setup: ScanSetup): Role {
  return {
    name: "scan",
    setup,
    dataFolder: setup.dataFolder,
    store: { definition: { ...logStore, fileName: LOG_COPY }, identityFolders: [] },
    ports: { api: setup },
    start: (parts) => startScan(setup, parts),
  };
}

async function startScan(setup: ScanSetup, parts: RoleParts): Promise<RunningRole> {
  const { host: system, log, metrics, supportedVersions } = parts;
  const closing = new Closing();
  try {
    const { log: orderedLog, place } = await openFollowedLog(
      setup,
      { host: system, closing, log, readOnly: true },
      { folders: [setup.dataFolder] },
    );
    const { id } = await waitForNetwork(orderedLog, place, parts);
    const wanted = setup.network.id ?? id;
    if (wanted !== id)
      throw new CannotStart(`the log has network ${id}, and network.id is ${wanted}: ${place}`);
    const { name, workers, dataFolder, host, port, tls, callRates, web, spliceInstanceNames } = setup;
    const scan = closing.add(
      await startScanNode({
        ...{ name, workers, dataFolder, host, port, orderedLog, log, metrics, system },
        ...(tls === undefined ? {} : { tls }),
        ...(callRates === undefined ? {} : { callRates }),
        ...(web === undefined ? {} : { web }),
        ...(supportedVersions === undefined ? {} : { supportedVersions }),
        ...(spliceInstanceNames === undefined ? {} : { spliceInstanceNames }),
      }),
    );
    const ready = gauge("daml_health_status", "1 if the node is ready, and 0 if it is not.");
    metrics.labelled({ node_type: "scan" }).declare(ready, () => (scan.missing() === null ? 1 : 0));
    return {
      addresses: { "scan API": `${scan.url}/api/scan` },
      missing: scan.missing,
      position: async () => ({ sequence: String(scan.replica.state.head.sequence) }),
      copyStore: undefined,
      keys: [],
      close: () => closing.close(),
    };
  } catch (error) {
    await closing.close();
    throw error;
  }
}
