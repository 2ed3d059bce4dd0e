/** `callsign network activate`: activates the protocol version of this program on a stopped network. */
import { createLog } from "@callsign/node";
import { type ActivatedVersion, activateVersion } from "@callsign/sv";
import { explaining } from "../output/explain-error.ts";
import type { Surroundings } from "../output/surroundings.ts";
import { placeOf, requireOwnLog } from "../run/open-network-log.ts";
import { machineTime } from "../run/run-sv.ts";
import type { SvSetup } from "../settings/setups.ts";

/** Resolves with the exit code. */
export function runActivation(setup: SvSetup, { terminal, host }: Surroundings): Promise<number> {
  return explaining("callsign network activate", terminal, async () => {
    requireOwnLog(setup);
    const svs = setup.svs.map(({ name }) => name);
    const config = { ...placeOf(setup), svs, clock: machineTime(host), log: createLog(setup.log) };
    terminal.write(describe(await activateVersion(config, host)));
  });
}

function describe({ version, activated }: ActivatedVersion): string {
  if (activated === null) return `The network has protocol version ${version} already.\n`;
  const { before, sequence, signedBy, left } = activated;
  const without = [...left].map(([name, reason]) => `  without ${name}: ${reason}\n`).join("");
  return (
    `The network has protocol version ${version} from entry ${sequence} on; it had ${before}.\n` +
    `  signed by: ${signedBy.join(", ")}\n${without}` +
    "Start callsign sv. SVs of an earlier release can no longer follow the log: update all of them first, and take " +
    "a back-up of before if you may have to go back.\n"
  );
}
