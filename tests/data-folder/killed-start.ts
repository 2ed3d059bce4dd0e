// Runs a command, and kills itself at a point of it.
//     node killed-start.ts <point number> participant -f participant.yaml

import { runCommand } from "../../packages/cli/src/run-command.ts";
import { stoppedHost } from "../backup/stopped-host.ts";

const [at, ...words] = process.argv.slice(2);
const host = stoppedHost(Number(at), (point) => {
  process.stdout.write(`${point}\n`);
  process.kill(process.pid, "SIGKILL");
});
const terminal = {
  write: (text: string) => void process.stdout.write(text),
  complain: (text: string) => void process.stderr.write(text),
};
process.exitCode = await runCommand(words, { terminal, environment: process.env, host });
