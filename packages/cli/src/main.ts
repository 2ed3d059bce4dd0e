#!/usr/bin/env node
/** `callsign <command> …`; in a clone `npm run -s callsign -- <command> …`. */
import { systemHost } from "@callsign/node";
import { runCommand } from "./run-command.ts";

const exitCode = await runCommand(process.argv.slice(2), {
  terminal: {
    write: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
  },
  environment: process.env,
  host: systemHost,
});
// Connections that others keep open do not keep the process.
process.exit(exitCode);
