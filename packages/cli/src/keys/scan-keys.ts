/** The keys of `callsign scan`, all of them ours: a scan that follows a shared log, without an SV. */
import { instanceNameKeys } from "./instance-name-keys.ts";
import { type KeyTable, key } from "./key.ts";
import { identifier, type KeyType, PORT, WHOLE } from "./key-type.ts";
import { LOG_KEYS } from "./log-keys.ts";
import { processKeys, tlsKeys } from "./process-keys.ts";
import { WORKERS_KEY } from "./workers-key.ts";

const NETWORK_ID: KeyType = { kind: "text", pattern: /^[0-9a-f]{64}$/, form: "64 hex digits" };

export const SCAN_ROLE_KEYS: KeyTable = [
  key("callsign.port", PORT, "port of the scan API; 0 for any that is free", {
    otherwise: "`5012`",
    variables: ["CALLSIGN_PORT"],
  }),
  WORKERS_KEY,
  key("name", identifier(60), "the scan's name in metrics and answers of health", { otherwise: "`scan`" }),
  key(
    "network.id",
    NETWORK_ID,
    "the network's id, as `callsign network found` prints it; a log of another one is refused",
    {
      otherwise: "any network",
    },
  ),
  key("migration.id", WHOLE, "the network's migration id", { otherwise: "`0`", variables: ["MIGRATION_ID"] }),
  ...LOG_KEYS,
  ...instanceNameKeys({}),
  ...tlsKeys("api"),
  ...processKeys({ dataFolder: ".data/scan", healthPort: "`5003`", address: [] }),
];
