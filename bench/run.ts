// `npm run bench -- <name> [section] [--json]` runs bench/<name>.ts; --json prints one object.

import { readdirSync } from "node:fs";

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts") && file !== "run.ts" && file !== "measure.ts")
  .map((file) => file.slice(0, -".ts".length))
  .sort();

const name = process.argv[2];
if (name !== undefined && names.includes(name)) {
  await import(`./${name}.ts`);
} else {
  console.error(`${name === undefined ? "Which benchmark?" : `There is no benchmark called ${name}.`}`);
  console.error("Usage: npm run bench -- <name> [section] [--json]");
  console.error(`Names: ${names.length === 0 ? "none yet" : names.join(", ")}`);
  process.exitCode = 1;
}
