/** THIRD-PARTY-LICENSES.md: the packages that a production installation holds, with their licences. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type LockedPackage, listBundledNames, listLockedPackages } from "./locked-packages.ts";

const root = join(import.meta.dirname, "..", "..");
export const LICENSES_PAGE = join(root, "THIRD-PARTY-LICENSES.md");

/** The page as it should be, from package-lock.json and the installed packages' own licence files. */
export function renderLicenses(): string {
  const lock = readFileSync(join(root, "package-lock.json"), "utf8");
  const bundled = listBundledNames(lock);
  const packages = listLockedPackages(lock)
    .filter(({ name, isForDevelopment }) => !isForDevelopment || bundled.has(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const rows = packages.map((locked) => {
    const { name, version, license } = locked;
    return `| \`${name}\` | ${version} | ${license.replaceAll(/[()]/g, "")} | ${findCopyright(locked)} |`;
  });
  return `${[
    "# Licences of dependencies",
    "",
    "Callsign itself is under [Apache-2.0](LICENSE). A production installation holds these packages besides, or their code in the web",
    "application; the full text of each licence is in the package. `npm run licenses` writes this page from `package-lock.json`, and a test compares.",
    "",
    "| package | version | licence | copyright |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n")}\n`;
}

/** The line of its licence file that names the holder; empty without one. */
function findCopyright({ folder }: LockedPackage): string {
  const place = join(root, folder);
  const file = existsSync(place) ? readdirSync(place).find((name) => /^licen[cs]e/i.test(name)) : undefined;
  if (file === undefined) return "";
  const line = /^\W*(Copyright (?!\[|notice|owner|license|holder).*)$/im.exec(
    readFileSync(join(place, file), "utf8"),
  )?.[1];
  return (line ?? "")
    .replaceAll(/\s+/g, " ")
    .replaceAll("|", "")
    .replaceAll(/<[^>]*>/g, "")
    .trim();
}
