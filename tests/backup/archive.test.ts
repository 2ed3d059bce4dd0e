// Every value of a store survives a back-up, in either database and from one to the other; a damaged back-up is found before
// anything is written.

import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { checkArchive, systemHost } from "@callsign/node";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkBackup, restoreBackup } from "../../packages/cli/src/backup/restore-backup.ts";
import { openStopped } from "../../packages/cli/src/backup/store-place.ts";
import { takeBackup } from "../../packages/cli/src/backup/take-backup.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { STORE_KINDS, type StoreKind } from "../support/postgres.ts";
import { fillRole, IDENTITY, makeRole, openRole, type Rows, readRole } from "./made-up-role.ts";
import { storeOfVersion } from "./made-up-store.ts";

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom("\u0000", "\u0001", "\u0002", "'", '"', "\n"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  ),
  maxLength: 20,
});
const integer = fc.bigInt({ min: -(2n ** 62n) + 1n, max: 2n ** 62n - 1n });
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
const rows: fc.Arbitrary<Rows> = fc.record({
  orders: fc.uniqueArray(
    fc.tuple(
      text,
      orNull(integer),
      orNull(fc.double({ noNaN: true })),
      orNull(fc.uint8Array()),
      orNull(text),
    ),
    { selector: ([name]) => name, maxLength: 150 },
  ),
  notes: fc.array(orNull(text), { maxLength: 3 }),
  heap: fc.array(fc.tuple(orNull(integer), orNull(text)), { maxLength: 5 }),
});

const SMALL: Rows = {
  orders: [["a", 1n, 0.5, new Uint8Array([0, 255]), null]],
  notes: ["note"],
  heap: [[null, null]],
};
const OPTIONS = { replace: false, verify: true };

test.for<[runs: number, kinds: readonly [StoreKind, ...StoreKind[]]]>([
  [5, ["SQLite", "SQLite"]],
  [1, ["SQLite", "PostgreSQL", "SQLite"]],
])(
  "every row of a store stays the same through back-ups and restores (%i: %s)",
  async ([numRuns, kinds], context) => {
    const run = async (given: Rows) => {
      let source = await makeRole(kinds[0], context);
      await fillRole(source, given);
      const first = await readRole(source);
      expect(first.orders.map(({ name, number, words }) => [name, number, words])).toEqual(
        [...given.orders]
          .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
          .map(([name, number, , , words]) => [name, number, words]),
      );
      const digests = new Set<string>();
      for (const kind of kinds.slice(1)) {
        const target = await makeRole(kind, context);
        const folder = join(temporaryFolder(), "backup");
        const { header, trailer } = (await takeBackup(source, folder, systemHost)).archived;
        expect(header.position).toEqual({ place: "9007199254740993" });
        expect(trailer.rows).toBe(given.orders.length * (1 + given.notes.length) + given.heap.length + 1);
        await restoreBackup(target, { ...OPTIONS, from: folder }, systemHost);
        const after = await readRole(target);
        expect({ ...after, heap: sorted(after.heap) }).toEqual({ ...first, heap: sorted(first.heap) });
        expect(after.identity).toBe(IDENTITY);
        // The same rows have the same hashes in either database.
        digests.add(JSON.stringify(trailer.tables));
        expect(digests.size).toBe(1);
        source = target;
      }
    };
    await fc.assert(fc.asyncProperty(rows, run), { numRuns });
  },
);

function sorted(list: readonly object[]): readonly string[] {
  return list.map((row) => Object.values(row).map(String).join()).sort();
}

test.for(STORE_KINDS)(
  "a store of an earlier version in %s gets the migrations it lacks",
  async (kind, context) => {
    const [source, target] = [await makeRole("SQLite", context), await makeRole(kind, context)];
    const old = { ...source, store: { ...source.store, definition: storeOfVersion(1) } };
    await fillRole(old, SMALL);
    const folder = join(temporaryFolder(), "backup");
    expect((await takeBackup(old, folder, systemHost)).archived.header.storeVersion).toBe(1);
    await restoreBackup(target, { ...OPTIONS, from: folder }, systemHost);
    // Before any start, which would migrate the store as well.
    const newer = join(temporaryFolder(), "backup");
    expect((await takeBackup(target, newer, systemHost)).archived.header.storeVersion).toBe(2);
    expect((await readRole(target)).orders).toMatchObject([{ name: "a", number: 2n }]);
    const older = { ...(await makeRole(kind, context)) };
    const known = { ...older, store: { ...older.store, definition: storeOfVersion(1) } };
    await expect(restoreBackup(known, { ...OPTIONS, from: newer }, systemHost)).rejects.toThrow(
      /the store of this back-up has version 2, and this release knows versions up to 1: restore it with release/,
    );
  },
);

test("any changed byte of a back-up, and any that is cut off, is found before anything is written", async (context) => {
  const [source, target] = [await makeRole("SQLite", context), await makeRole("SQLite", context)];
  await fillRole(source, SMALL);
  const folder = join(temporaryFolder(), "backup");
  await takeBackup(source, folder, systemHost);
  expect(
    readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
  ).toEqual([
    ["backup.json", "600"],
    ["identity.json", "600"],
    ["store.gz", "600"],
  ]);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const bytes = readFileSync(path);
    const places = fc.sample(fc.nat(bytes.length - 1), { numRuns: 20 });
    for (const place of [0, bytes.length - 1, ...places]) {
      const flipped = Buffer.from(bytes);
      flipped[place] = (bytes[place] ?? 0) ^ 1;
      writeFileSync(path, flipped);
      await expect(restoreBackup(target, { ...OPTIONS, from: folder }, systemHost)).rejects.toThrow(
        /damaged/,
      );
    }
    writeFileSync(path, bytes);
    for (const length of [0, 1, bytes.length - 1]) {
      truncateSync(path, length);
      await expect(checkBackup(folder, systemHost)).rejects.toThrow(/damaged|cut off/);
      writeFileSync(path, bytes);
    }
  }
  expect(systemHost.files.list(target.dataFolder)).toEqual([]);
  await checkBackup(folder, systemHost);
});

test("an archive whose rows were changed, and packed again, does not have its hashes", async (context) => {
  const source = await makeRole("SQLite", context);
  await fillRole(source, SMALL);
  const folder = join(temporaryFolder(), "backup");
  await takeBackup(source, folder, systemHost);
  const path = join(folder, "store.gz");
  const lines = gunzipSync(readFileSync(path)).toString().split("\n");
  const check = (changed: readonly string[]) => {
    writeFileSync(path, gzipSync(changed.join("\n")));
    return checkArchive(path, systemHost.files);
  };
  const place = lines.findIndex((line) => line.includes('"tnote"'));
  await check(lines);
  await expect(check(lines.with(place, lines[place]?.replace("tnote", "tnode") ?? ""))).rejects.toThrow(
    /damaged: its rows do not have the hashes of its end/,
  );
  await expect(check(lines.toSpliced(place, 1))).rejects.toThrow(/do not have the hashes/);
  await expect(check(lines.slice(0, -2))).rejects.toThrow(/cut off/);
  await expect(check([...lines.slice(0, -1), "[]", ""])).rejects.toThrow(/something follows its end/);
});

test.for(STORE_KINDS)("a store in %s that is not empty is refused, or kept aside", async (kind, context) => {
  const [source, target] = [await makeRole("SQLite", context), await makeRole(kind, context)];
  await fillRole(source, SMALL);
  const folder = join(temporaryFolder(), "backup");
  await takeBackup(source, folder, systemHost);
  await fillRole(target, { ...SMALL, orders: [["other", 5n, null, null, "kept"]] });
  const before = await readRole(target);
  await expect(restoreBackup(target, { ...OPTIONS, from: folder }, systemHost)).rejects.toThrow(
    /not empty.*--replace/,
  );
  expect(await readRole(target)).toEqual(before);
  const restored = await restoreBackup(target, { ...OPTIONS, from: folder, replace: true }, systemHost);
  expect(restored).toMatchObject({ kind: "restored", replaced: expect.stringMatching(/replaced[-_]/) });
  expect(await readRole(target)).toEqual(await readRole(source));
  const kept = restored.kind === "restored" ? String(restored.replaced) : "";
  const { database } = target.store;
  const aside =
    database === undefined
      ? { ...target, dataFolder: kept }
      : { ...target, store: { ...target.store, database: { ...database, schema: kept } } };
  expect(await readRole(aside)).toEqual(before);
  // The same call again finds that nothing is left to do.
  expect(await restoreBackup(target, { ...OPTIONS, from: folder }, systemHost)).toMatchObject({
    kind: "same",
  });
});

test("a store that a process has open is neither backed up behind its back nor restored into", async (context) => {
  for (const kind of STORE_KINDS) {
    const [source, target] = [await makeRole("SQLite", context), await makeRole(kind, context)];
    await fillRole(source, SMALL);
    const folder = join(temporaryFolder(), "backup");
    await takeBackup(source, folder, systemHost);
    const opened = await openRole(target);
    await expect(
      restoreBackup(target, { ...OPTIONS, from: folder, replace: true }, systemHost),
    ).rejects.toThrow(/in use by another process|stop/);
    // A schema is read beside its process; a file is not, unless the process copies it.
    if (kind === "SQLite")
      await expect(takeBackup(target, join(temporaryFolder(), "backup"), systemHost)).rejects.toThrow(
        /in use by another process/,
      );
    await opened.close();
  }
});

test("no process starts on a file that is being read", async (context) => {
  const role = await makeRole("SQLite", context);
  await fillRole(role, SMALL);
  const snapshot = await openStopped(role, systemHost);
  await expect(openRole(role)).rejects.toThrow(/in use by another process/);
  await snapshot.close();
  await openRole(role);
});
