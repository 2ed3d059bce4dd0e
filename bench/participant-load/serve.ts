// A participant on a database that was made before, in a process of its own: it answers reads, and has no network.

import { createLog } from "../../packages/node/src/observability/log.ts";
import { startParticipant } from "../../packages/participant/src/start-participant.ts";
import { NODE_IDENTIFIER, READER } from "./bulk-ledger.ts";

const [folder = "", secret = "", audience = ""] = process.argv.slice(2);
const participant = await startParticipant({
  dataFolder: folder,
  nodeIdentifier: NODE_IDENTIFIER,
  // Nobody listens there.
  sequencers: ["http://127.0.0.1:9"],
  host: "127.0.0.1",
  port: 0,
  auth: { kind: "hs256", secret, audience },
  adminUsers: [READER],
  log: createLog({ level: "silent" }),
});
process.once("SIGTERM", () => void participant.close().then(() => process.exit(0)));
console.log(participant.url);
