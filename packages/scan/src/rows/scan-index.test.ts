import { join } from "node:path";
import { openDatabase } from "@callsign/node";
import { SqliteState } from "@callsign/synchronizer";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../node/testing/temporary-folder.ts";
import { ScanIndex, type ScanIndexOptions } from "./scan-index.ts";

function mappedBytes(options: ScanIndexOptions): bigint {
  const database = openDatabase(join(temporaryFolder(), "replica.db"));
  new ScanIndex(new SqliteState(database), options);
  const mapped = database.prepare("pragma mmap_size").get()?.["mmap_size"];
  database.close();
  return mapped as bigint;
}

test("an index is mapped into memory, unless it shares its process with others", () => {
  expect(mappedBytes({})).toBeGreaterThan(2n ** 30n);
  expect(mappedBytes({ isMapped: false })).toBe(0n);
});
