// The command of this repository, with protocol versions that are still drafts.
//     node draft-versions-program.ts sv -f sv.yaml

import { systemHost } from "@callsign/node";
import { runCommand } from "../../packages/cli/src/run-command.ts";
import { VERSIONS_WITH_DRAFT } from "../../packages/ledger/src/transition/limits.ts";

const terminal = {
  write: (text: string) => void process.stdout.write(text),
  complain: (text: string) => void process.stderr.write(text),
};
const around = {
  terminal,
  environment: process.env,
  host: systemHost,
  supportedVersions: VERSIONS_WITH_DRAFT,
};
process.exit(await runCommand(process.argv.slice(2), around));
