/** The scans that a validator reads from, as it finds them from one of them. */
import { openDatabase, openSqliteStore, silentLog, systemHost } from "@callsign/node";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { ScanDirectory } from "../../packages/validator/src/scans/scan-directory.ts";
import { ScanGroup } from "../../packages/validator/src/scans/scan-group.ts";
import { KnownScansStore } from "../../packages/validator/src/store/known-scans.ts";
import { walletMigrations } from "../../packages/validator/src/store/wallet-migrations.ts";

export async function openScanDirectory(seedUrl: string, atEnd: AtEnd) {
  const database = await openSqliteStore(openDatabase(":memory:"), walletMigrations);
  atEnd(() => database.close());
  const parts = { host: systemHost, log: silentLog };
  const group = new ScanGroup({ ...parts, urls: [] });
  atEnd(() => group.close());
  const discovery = { kind: "bft", seedUrls: [seedUrl] } as const;
  const store = new KnownScansStore(database);
  const directory = await ScanDirectory.open({ ...parts, discovery, group, store });
  atEnd(() => directory.close());
  return { group, directory };
}
