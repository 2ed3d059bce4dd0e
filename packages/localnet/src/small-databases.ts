/** A host whose databases have short pages, and few of them in memory, for a process that has many databases, all small. */
import type { Host } from "@callsign/node";
import { SHORT_PAGE_BYTES, SMALL_CACHE_KIBIBYTES } from "./limits.ts";

export function withSmallDatabases(host: Host): Host {
  const small = { cacheKibibytes: SMALL_CACHE_KIBIBYTES, pageBytes: SHORT_PAGE_BYTES };
  const openDatabase: Host["files"]["openDatabase"] = (path, options) =>
    host.files.openDatabase(path, { ...small, ...options });
  return { ...host, files: { ...host.files, openDatabase } };
}
