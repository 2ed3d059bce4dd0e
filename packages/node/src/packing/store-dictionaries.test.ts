import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../database/open-database.ts";
import { openSqliteStore } from "../database/sqlite-store.ts";
import { StoreDictionaries, TEXT_DICTIONARIES } from "./store-dictionaries.ts";

const PLAN = { store: "texts", migrations: [TEXT_DICTIONARIES] };

async function openTexts() {
  const store = await openSqliteStore(openDatabase(":memory:"), PLAN);
  onTestFinished(() => store.close());
  return store;
}

const text = (number: number) =>
  JSON.stringify({ owner: "alice", number, note: "the same words in every text" });

test("a dictionary is saved with the texts that it packs, and another process unpacks them", async () => {
  const store = await openTexts();
  const writer = await new StoreDictionaries("notes").load(store);
  const packed = Array.from({ length: 70 }, (_, number) => writer.pack("note", text(number)));
  await writer.save(store);
  await writer.save(store);
  const reader = await new StoreDictionaries("notes").load(store);
  for (const [number, bytes] of packed.entries()) expect(reader.unpack(bytes)).toBe(text(number));
  const others = await new StoreDictionaries("other").load(store);
  expect(() => others.unpack(packed.at(-1) as Buffer)).toThrow("names dictionary 1, which is not there");
});

test("a transaction does not wait for a reader, which waits for the transaction, and both get the same dictionaries", async () => {
  const store = await openTexts();
  const dictionaries = new StoreDictionaries("notes");
  const { reader, writer } = await store.transaction(async (sql) => ({
    ...{ reader: { loading: dictionaries.load(store) }, writer: await dictionaries.load(sql) },
  }));
  expect(await reader.loading).toBe(writer);
});

test("a transaction that packs finds by itself that the last dictionary was rolled back", async () => {
  const store = await openTexts();
  const dictionaries = new StoreDictionaries("notes");
  const packSome = async (fail: boolean) =>
    await store.transaction(async (sql) => {
      const loaded = await dictionaries.loadToPack(sql);
      const packed = Array.from({ length: 70 }, (_, number) =>
        loaded.pack("note", text(number), text(number)),
      );
      await loaded.save(sql);
      if (fail) throw new Error("the disk is full");
      return packed;
    });
  await expect(packSome(true)).rejects.toThrow("the disk is full");
  const packed = [...(await packSome(false)), ...(await packSome(false))];
  for (const reader of [dictionaries, new StoreDictionaries("notes")]) {
    const loaded = await reader.load(store);
    for (const [at, bytes] of packed.entries())
      expect(loaded.unpack(bytes, text(at % 70))).toBe(text(at % 70));
  }
});
