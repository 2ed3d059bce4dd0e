/** docs/operating.md, for tests that do as it says in a folder of their own. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PAGE = join(import.meta.dirname, "../../docs/operating.md");
const VALUES_FILE = /```yaml\n(# ([\w-]+\.yaml)[\s\S]*?)```/g;

/** The page with this folder and this address in the place of its own. Its ports must be free on the address. */
export function readOperatingPage(folder: string, address: string): string {
  return readFileSync(PAGE, "utf8").replaceAll(".data/acme", folder).replaceAll("127.0.0.1", address);
}

/** An address of 127.0.0.0/8 that this process alone uses; `second` is its second byte. */
export function ownAddress(second: number): string {
  return `127.${second}.${(process.pid >> 8) % 256}.${1 + (process.pid % 254)}`;
}

/** Writes the values files that the page shows. */
export function writeValuesFiles(page: string, folder: string): void {
  for (const [, values = "", name = ""] of page.matchAll(VALUES_FILE))
    writeFileSync(join(folder, name), values);
}
