/**
 * NATS's server for tests: the machine's own if it is new enough, else the package of a newer Debian, kept in .cache/nats. It is
 * unpacked there and not installed.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { unpackDebianPackage } from "./debian-packages.ts";

const FOLDER = join(import.meta.dirname, "..", ".cache", "nats");
const NEEDED = [2, 15] as const;

/** The path of the program; null if there is none that is new enough. */
export function findNatsServer(): string | null {
  const places = [join(FOLDER, "usr/sbin/nats-server"), "/usr/sbin/nats-server", "/usr/bin/nats-server"];
  return places.find((place) => existsSync(place) && isNewEnough(place)) ?? null;
}

/** Null if it is there now, or the reason why it is not. */
export async function fetchNatsServer(): Promise<string | null> {
  if (findNatsServer() !== null) return null;
  const reason = await unpackDebianPackage("nats-server", FOLDER);
  if (reason !== null || findNatsServer() !== null) return reason;
  return `nats-server is older than ${NEEDED.join(".")} in every release of Debian that was tried`;
}

function isNewEnough(program: string): boolean {
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  const [, major = "0", minor = "0"] = /v(\d+)\.(\d+)\./.exec(stdout ?? "") ?? [];
  return Number(major) > NEEDED[0] || (Number(major) === NEEDED[0] && Number(minor) >= NEEDED[1]);
}
