// The effects of the keys of a scan without an SV.

import type { ScanSetup } from "../../packages/cli/src/settings/setups.ts";
import { instanceNameEffects } from "./instance-name-effects.ts";
import type { Effects } from "./key-effect.ts";
import { logEffects } from "./log-effects.ts";
import { processEffects, tlsEffects } from "./process-effects.ts";

export const SCAN_BASE = { log: { kind: "postgres", postgres: { hosts: ["db-1"] } } };

const ID = "ab".repeat(32);

export const SCAN_EFFECTS: Effects<ScanSetup> = {
  "callsign.port": { given: 6012, expected: 6012, pick: ({ port }) => port },
  "callsign.workers": { given: 4, expected: 4, pick: ({ workers }) => workers },
  name: { given: "scan-2", expected: "scan-2", pick: ({ name }) => name },
  "network.id": { given: ID, expected: ID, pick: ({ network }) => network.id },
  "migration.id": { given: 3, expected: 3n, pick: ({ network }) => network.migrationId },
  ...logEffects<ScanSetup>(),
  ...instanceNameEffects<ScanSetup>("spliceInstanceNames", (setup) => setup.spliceInstanceNames),
  ...tlsEffects("api", (setup: ScanSetup) => setup),
  ...processEffects<ScanSetup>(
    ({ host }) => host,
    ({ dataFolder }) => dataFolder,
  ),
};
