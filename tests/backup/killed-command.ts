// Backs up, restores or moves the made-up role, and kills itself at a point.
//     node killed-command.ts <point number> '{"command":"restore","role":…,"folder":…}'

import { moveStore } from "../../packages/cli/src/backup/move-store.ts";
import { restoreBackup } from "../../packages/cli/src/backup/restore-backup.ts";
import { takeBackup } from "../../packages/cli/src/backup/take-backup.ts";
import { clerkOf } from "./made-up-store.ts";
import { stoppedHost } from "./stopped-host.ts";

const [at, text = ""] = process.argv.slice(2);
const { command, role, other, folder } = JSON.parse(text);
const host = stoppedHost(Number(at), (point) => {
  process.stdout.write(`${point}\n`);
  process.kill(process.pid, "SIGKILL");
});
const clerk = clerkOf(role.dataFolder, role.place);
if (command === "backup") await takeBackup(clerk, folder, host);
if (command === "restore") await restoreBackup(clerk, { from: folder, replace: true, verify: true }, host);
if (command === "move")
  await moveStore(clerk, clerkOf(other.dataFolder, other.place), { replace: false, host });
