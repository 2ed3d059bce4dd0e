/** `callsign network found`: appends a draft that every SV has signed to the configured log, as its first entry. */
import { Closing, createLog } from "@callsign/node";
import { foundByDraft } from "@callsign/sv";
import { explaining } from "../output/explain-error.ts";
import type { Surroundings } from "../output/surroundings.ts";
import { openNetworkLog } from "../run/open-network-log.ts";
import { machineTime } from "../run/run-sv.ts";
import type { SvSetup } from "../settings/setups.ts";
import { readSigned } from "./founding-files.ts";

interface FoundOptions {
  readonly draft: string;
  /** Files of `network sign`. */
  readonly signatures: readonly string[];
}

/** Resolves with the exit code. */
export function runFound(
  setup: SvSetup,
  { terminal, host }: Surroundings,
  { draft: path, signatures }: FoundOptions,
): Promise<number> {
  return explaining("callsign network found", terminal, async () => {
    const envelope = readSigned("founding", [path, ...signatures], host);
    const closing = new Closing();
    try {
      const { log, place } = await openNetworkLog(setup, { host, closing, log: createLog(setup.log) });
      const { network, isNew } = await foundByDraft(envelope, { log, clock: machineTime(host), host });
      terminal.write(
        `${isNew ? "The network is founded" : "The network was founded before, by this draft"}: ${place}\n` +
          `  network: ${network.id}\n  DSO: ${network.dso}\n  SVs: ${network.svs.join(", ")}\n` +
          "Start callsign sv at every SV.\n",
      );
    } finally {
      await closing.close();
    }
  });
}
