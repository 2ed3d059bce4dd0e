/** The things that a command gets from the process that runs it. */
import type { Host } from "@callsign/node";
import type { Terminal } from "./terminal.ts";

export interface Surroundings {
  readonly terminal: Terminal;
  readonly host: Host;
  /** The protocol versions that an SV's replica applies; those of this release by default. Others are drafts, for tests. */
  readonly supportedVersions?: readonly bigint[];
}
