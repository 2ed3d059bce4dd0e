/**
 * A browser for tests: one that the machine has, or else Debian's headless Chromium, installed where root may. The builds of
 * Chromium in the npm registry are for linux-x64 alone.
 */
import { existsSync } from "node:fs";
import { installDebianPackage } from "./debian-packages.ts";

const PACKAGE = "chromium-headless-shell";
const PLACES: readonly string[] = [
  "/usr/lib/chromium/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The path of the program; null if there is none. `CALLSIGN_CHROMIUM` names another. */
export function findChromium(): string | null {
  const chosen = process.env["CALLSIGN_CHROMIUM"];
  return (chosen === undefined ? PLACES : [chosen]).find((place) => existsSync(place)) ?? null;
}

/** Null if it is there now, or the reason why it is not. */
export async function fetchChromium(): Promise<string | null> {
  if (findChromium() !== null) return null;
  const chosen = process.env["CALLSIGN_CHROMIUM"];
  if (chosen !== undefined) return `CALLSIGN_CHROMIUM is ${chosen}, where no program is`;
  const reason = await installDebianPackage(PACKAGE);
  if (reason !== null) return `${reason}; or name a Chromium in CALLSIGN_CHROMIUM`;
  return findChromium() === null ? `${PACKAGE} holds no browser` : null;
}
