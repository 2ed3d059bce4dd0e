/** The things that a command gets from the process that runs it. */
import type { Host } from "@callsign/node";
import type { Terminal } from "./terminal.ts";

export interface Surroundings {
  readonly terminal: Terminal;
  readonly host: Host;
  /** Calls back when the person at the terminal presses Ctrl-C, in place of ending the process. Returns a function that stops that. */
  readonly onInterrupt?: (interrupt: () => void) => () => void;
  /** The protocol versions that an SV's replica applies; those of this release by default. Others are drafts, for tests. */
  readonly supportedVersions?: readonly bigint[];
}
