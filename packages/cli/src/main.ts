#!/usr/bin/env node
/** `callsign <command> …`; in a clone `npm run -s callsign -- <command> …`. */
import { systemHost } from "@callsign/node";
import { openProcessTerminal } from "./output/process-terminal.ts";
import { runCommand } from "./run-command.ts";

const exitCode = await runCommand(process.argv.slice(2), {
  terminal: openProcessTerminal(process),
  environment: process.env,
  host: systemHost,
  onInterrupt: (interrupt) => {
    process.on("SIGINT", interrupt);
    return () => process.off("SIGINT", interrupt);
  },
});
// Connections that others keep open do not keep the process.
process.exit(exitCode);
