/**
 * `callsign network activate`: activates a protocol version. With a draft and signatures it has the running SV append them;
 * without, it activates this program's version on a stopped network that is all in one data folder.
 */
import type { ActivatedByEntry } from "@callsign/api";
import { callProcess, createLog } from "@callsign/node";
import { type ActivatedVersion, activateVersion } from "@callsign/sv";
import { explaining } from "../output/explain-error.ts";
import type { Surroundings } from "../output/surroundings.ts";
import { placeOf, requireOwnLog } from "../run/open-network-log.ts";
import { machineTime } from "../run/run-sv.ts";
import type { SvSetup } from "../settings/setups.ts";
import { readSigned } from "./founding-files.ts";

/** The wait for a quorum of SVs is shorter. */
const ACTIVATE_MILLISECONDS = 120_000;

const BY_DRAFT =
  "run callsign network draft --activation, callsign network sign at every SV, and callsign network activate <draft> " +
  "<signatures>…, while the SVs work";

interface ActivationOptions {
  /** A file of `network draft --activation`, and those of `network sign`. None for a stopped network. */
  readonly files: readonly string[];
}

/** Resolves with the exit code. */
export function runActivation(
  setup: SvSetup,
  { terminal, host }: Surroundings,
  { files: [path, ...signatures] }: ActivationOptions,
): Promise<number> {
  return explaining("callsign network activate", terminal, async () => {
    if (path === undefined) {
      requireOwnLog(setup, BY_DRAFT);
      const svs = setup.svs.map(({ name }) => name);
      const config = { ...placeOf(setup), svs, clock: machineTime(host), log: createLog(setup.log) };
      return terminal.write(describe(await activateVersion(config, host)));
    }
    const { content, signatures: collected } = readSigned("activation", [path, ...signatures], host);
    const timeoutMilliseconds = ACTIVATE_MILLISECONDS;
    const body = { content, signatures: [...collected] };
    const activated = await callProcess(
      setup.dataFolder,
      (client) => client.activateVersion({ body }, { timeoutMilliseconds }),
      host,
    );
    terminal.write(describeEntry(activated));
  });
}

function describe({ version, activated }: ActivatedVersion): string {
  if (activated === null) return describePresent(version);
  const { before, sequence, signedBy, left } = activated;
  const without = [...left].map(([name, reason]) => `  without ${name}: ${reason}\n`).join("");
  return (
    `The network has protocol version ${version} from entry ${sequence} on; it had ${before}.\n` +
    `  signed by: ${signedBy.join(", ")}\n${without}` +
    "Start callsign sv. SVs of an earlier release can no longer follow the log: update all of them first, and take " +
    "a back-up of before if you may have to go back.\n"
  );
}

function describeEntry({ version, before, sequence, signedBy, without }: ActivatedByEntry): string {
  if (before === null) return describePresent(version);
  const others = without.map((id) => `  without: ${id}\n`).join("");
  return (
    `The network has protocol version ${version} from entry ${sequence} on; it had ${before}.\n` +
    `  signed by: ${signedBy.join(", ")}\n${others}` +
    "SVs and scans of an earlier release have stopped at that entry. They go on from there with this release.\n"
  );
}

function describePresent(version: bigint | number): string {
  return `The network has protocol version ${version} already.\n`;
}
