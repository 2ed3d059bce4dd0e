/** `npm start [-- <options>]`. */
import { systemHost } from "@callsign/node";
import { runLocalnet } from "./run-localnet.ts";

const exitCode = await runLocalnet(process.argv.slice(2), {
  write: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
  host: systemHost,
  callsign: "npm run -s callsign --",
});
// Connections that others keep open do not keep the process.
process.exit(exitCode);
