/**
 * A validator under load. `npm run bench -- validator` runs every section; names behind it choose some, such as
 * `npm run bench -- validator proxy`.
 */
import { report } from "./measure.ts";
import { measureHostedParties } from "./validator-load/measure-hosted-parties.ts";
import { measureProxy } from "./validator-load/measure-proxy.ts";
import { measureTransfers } from "./validator-load/measure-transfers.ts";
import type { Section } from "./validator-load/section.ts";

const SECTIONS: Readonly<Record<string, () => Promise<Section>>> = {
  proxy: measureProxy,
  transfers: measureTransfers,
  parties: measureHostedParties,
};

const chosen = process.argv.slice(3).filter((argument) => !argument.startsWith("--"));
const unknown = chosen.filter((name) => SECTIONS[name] === undefined);
if (unknown.length > 0)
  throw new Error(
    `no section is called ${unknown.join(", ")}; sections: ${Object.keys(SECTIONS).join(", ")}`,
  );

const sections: Section[] = [];
for (const [name, measure] of Object.entries(SECTIONS))
  if (chosen.length === 0 || chosen.includes(name)) sections.push(await measure());

report(
  "validator",
  sections.flatMap(({ rows }) => rows),
  sections.map(({ note }) => note),
);
