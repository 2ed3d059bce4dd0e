/**
 * A validator under load. `npm run bench -- validator` runs every section; names behind it choose some, such as
 * `npm run bench -- validator proxy`.
 */
import { runSections } from "./measure.ts";
import { measureHostedParties } from "./validator-load/measure-hosted-parties.ts";
import { measureProxy } from "./validator-load/measure-proxy.ts";
import { measureTransfers } from "./validator-load/measure-transfers.ts";

await runSections("validator", {
  proxy: measureProxy,
  transfers: measureTransfers,
  parties: measureHostedParties,
});
