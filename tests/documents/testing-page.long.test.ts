// The vitest suite of docs/testing-with-callsign.md runs here, as a reader pastes it.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const NAME = "names.test.ts";

function readExample(): string {
  const page = readFileSync(join(root, "docs/testing-with-callsign.md"), "utf8");
  const blocks = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = ""]) => text);
  const example = blocks.find((text) => text.startsWith(`// ${NAME}\n`));
  if (example === undefined)
    throw new Error(`docs/testing-with-callsign.md has no block that begins with // ${NAME}`);
  return example;
}

// In the repository, where the package callsign is found.
const folder = join(root, ".cache/documents");
mkdirSync(folder, { recursive: true });
const file = join(folder, "testing-page.ts");
writeFileSync(file, readExample());
await import(file);
