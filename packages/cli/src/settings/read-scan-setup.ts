/** The setup of a scan without an SV. */
import { SCAN_ROLE_KEYS } from "../keys/scan-keys.ts";
import { WORKERS_PATH } from "../keys/workers-key.ts";
import type { ReadParts, SetupOutcome } from "./config-source.ts";
import type { KeyReader } from "./key-reader.ts";
import { readInstanceNames } from "./read-identity.ts";
import { readOrderedLog } from "./read-log.ts";
import { describeScanPages } from "./read-pages.ts";
import { readListening, readProcess } from "./read-process.ts";
import { type Draft, readSetup } from "./read-setup.ts";
import type { ScanSetup } from "./setups.ts";

const SCAN_PORT = 5012;

export function readScanSetup(parts: ReadParts): SetupOutcome<ScanSetup> {
  return readSetup(SCAN_ROLE_KEYS, parts, draftScan);
}

function draftScan(reader: KeyReader): Draft<ScanSetup> {
  const migrationId = reader.number("migration.id") ?? 0;
  const orderedLog = readOrderedLog(reader, migrationId);
  const names = readInstanceNames(reader, "spliceInstanceNames");
  const id = reader.text("network.id");
  if (orderedLog.kind === "sqlite") {
    const fix =
      "Give postgres or nats: the SQLite log belongs to the process of its SVs, which have scans of their own";
    if (reader.has("log.kind")) reader.refuse("log.kind", "cannot be shared with a scan", fix);
    else reader.require("log.kind", fix);
  }
  return {
    ...readProcess(reader, { healthIsOnApi: false }),
    ...readListening(reader, { key: "callsign.port", port: SCAN_PORT, tls: "api" }),
    web: describeScanPages(names),
    dataFolder: reader.text("callsign.dataFolder") ?? ".data/scan",
    name: reader.text("name") ?? "scan",
    workers: reader.number(WORKERS_PATH) ?? 1,
    orderedLog,
    network: { migrationId: BigInt(migrationId), ...(id === undefined ? {} : { id }) },
    ...(names === undefined ? {} : { spliceInstanceNames: names }),
  };
}
