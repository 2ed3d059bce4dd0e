/** A host whose databases keep fewer pages in memory, for a process that has many of them. */
import type { Host } from "@callsign/node";
import { SMALL_CACHE_KIBIBYTES } from "./limits.ts";

export function withSmallCaches(host: Host): Host {
  const openDatabase: Host["files"]["openDatabase"] = (path, options) =>
    host.files.openDatabase(path, { cacheKibibytes: SMALL_CACHE_KIBIBYTES, ...options });
  return { ...host, files: { ...host.files, openDatabase } };
}
