import { systemHost } from "@callsign/node";
import { expect, test } from "vitest";
import { withSmallCaches } from "./small-caches.ts";

/** In KiB. */
function cacheOf(host: typeof systemHost): number {
  const database = host.files.openDatabase(":memory:");
  const size = Number(database.prepare("pragma cache_size").get()?.["cache_size"]);
  database.close();
  return -size;
}

test("databases of a process that has many keep a quarter of the pages in memory", () => {
  expect([cacheOf(systemHost), cacheOf(withSmallCaches(systemHost))]).toEqual([16_384, 4096]);
});
