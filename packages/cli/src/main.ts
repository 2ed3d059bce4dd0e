#!/usr/bin/env node
/** `callsign <command> …`; in a clone `npm run -s callsign -- <command> …`. */
import { runCommand } from "./run-command.ts";

process.exitCode = await runCommand(process.argv.slice(2), {
  write: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
});
