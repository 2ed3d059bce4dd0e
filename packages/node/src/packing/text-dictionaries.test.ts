import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type DictionaryRow,
  type NumberedDictionary,
  PackedTextDamaged,
  TextDictionaries,
} from "./text-dictionaries.ts";

function makeRows() {
  return makeRowsOf(new Map<bigint, DictionaryRow>());
}

function makeRowsOf(kept: Map<bigint, DictionaryRow>) {
  return {
    kept,
    find: (id: bigint) => kept.get(id),
    findLast: () => BigInt(kept.size),
    insert: (id: bigint, row: DictionaryRow) => void kept.set(id, row),
  };
}

const contract = (number: number) =>
  JSON.stringify({
    owner: `alice::1220${"ab".repeat(32)}`,
    dso: `DSO::1220${"cd".repeat(32)}`,
    template: "Splice.Amulet:Amulet",
    amount: { initialAmount: `${number}.0000000000`, createdAt: { number: `${number}` } },
  });

test("a text like those before it takes a fraction of its characters, and comes back in another process", () => {
  const rows = makeRows();
  const writer = new TextDictionaries(rows);
  const packed = Array.from({ length: 200 }, (_, number) => writer.pack(`${number % 2}`, contract(number)));
  expect(rows.kept.size).toBe(1);
  const reader = new TextDictionaries(rows);
  for (const [number, bytes] of packed.entries()) expect(reader.unpack(bytes)).toBe(contract(number));
  expect(packed.at(-1)?.length).toBeLessThan(contract(199).length / 5);
  expect(packed[0]?.length).toBeGreaterThan(100);
});

test("any text comes back as it was, among them those with characters that stand for ids", () => {
  const dictionaries = new TextDictionaries(makeRows());
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.stringMatching(/^[0-9a-f]{0,200}$/),
    fc.constantFrom("\u0001", "\u0002##", `\u0003a;${"ab".repeat(40)}`),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 20 }), (texts) => {
      const whole = texts.map((each) => each.toWellFormed());
      for (const each of [...whole, JSON.stringify(texts)])
        expect(dictionaries.unpack(dictionaries.pack("any", each))).toBe(each);
    }),
    { numRuns: 100 },
  );
});

test("bytes that have changed are refused", () => {
  const dictionaries = new TextDictionaries(makeRows());
  const packed = dictionaries.pack("coin", contract(1));
  for (let at = 0; at < packed.length; at++) {
    const damaged = Buffer.from(packed);
    damaged[at] = (damaged[at] as number) ^ 0x20;
    expect(() => dictionaries.unpack(damaged)).toThrow(PackedTextDamaged);
  }
  expect(() => dictionaries.unpack(packed.subarray(0, 4))).toThrow("a packed text is cut off");
});

test("a long text is compressed by itself, and comes back as it was", () => {
  const dictionaries = new TextDictionaries(makeRows());
  const long = JSON.stringify(Array.from({ length: 20_000 }, (_, number) => contract(number)));
  const packed = dictionaries.pack("many", long);
  expect(packed.length).toBeLessThan(long.length / 5);
  expect(packed.readUInt16BE(0)).toBe(0xff_fe);
  expect(dictionaries.unpack(packed)).toBe(long);
  packed[1000] = (packed[1000] as number) ^ 1;
  expect(() => dictionaries.unpack(packed)).toThrow(PackedTextDamaged);
  expect(dictionaries.tryPack("many", long)).toBeNull();
});

test("a dictionary that a rollback took away is made anew", () => {
  const rows = makeRows();
  const dictionaries = new TextDictionaries(rows);
  for (let number = 0; number < 64; number++) dictionaries.pack("coin", contract(number));
  expect(rows.kept.size).toBe(1);
  rows.kept.clear();
  dictionaries.reload();
  const packed = Array.from({ length: 70 }, (_, number) => dictionaries.pack("coin", contract(number)));
  expect(rows.kept.size).toBe(1);
  const reader = new TextDictionaries(rows);
  for (const [number, bytes] of packed.entries()) expect(reader.unpack(bytes)).toBe(contract(number));
});

test("a text whose dictionary is not there is refused", () => {
  const rows = makeRows();
  const writer = new TextDictionaries(rows);
  const packed = Array.from({ length: 64 }, (_, number) => writer.pack("coin", contract(number))).at(-1);
  expect(() => new TextDictionaries(makeRows()).unpack(packed as Buffer)).toThrow(
    "a packed text names dictionary 1, which is not there",
  );
});

test("what another store packed under a key is taken only if it has the dictionary under the same number", () => {
  const [one, two] = [makeRows(), makeRows()];
  const writer = new TextDictionaries(one);
  for (let number = 0; number < 64; number++) writer.pack("coin", contract(number));
  two.insert(1n, { ids: "[]", body: "another" });
  two.insert(2n, one.find(1n) as DictionaryRow);
  const same = new TextDictionaries(makeRowsOf(one.kept));
  const other = new TextDictionaries(two);
  const packed = writer.tryPack("coin", contract(99), { key: "99" }) as Buffer;
  expect(same.tryPack("coin", contract(99), { key: "99" })).toBe(packed);
  const own = other.tryPack("coin", contract(99), { key: "99" }) as Buffer;
  expect(own).not.toEqual(packed);
  expect(new TextDictionaries(two).unpack(own)).toBe(contract(99));
});

test("texts that are packed together are samples each by itself", () => {
  const rows = makeRows();
  const dictionaries = new TextDictionaries(rows);
  const lines = Array.from({ length: 80 }, (_, number) => contract(number));
  const chosen = lines.map((line) => dictionaries.choose("coin", line)).at(-1);
  expect(chosen?.id).toBe(1n);
  const packed = dictionaries.packWith(chosen as NumberedDictionary, lines.join("\n"));
  expect(new TextDictionaries(rows).unpack(packed)).toBe(lines.join("\n"));
});

test("a dictionary is made of the last texts, as many as deflate reads in a moment", () => {
  const rows = makeRows();
  const dictionaries = new TextDictionaries(rows);
  const words = (number: number) => `[${Array.from({ length: 80 }, (_, i) => `"${number}.${i}"`).join()}]`;
  for (let number = 0; number < 64; number++) dictionaries.choose(`kind ${number}`, words(number));
  const { body = "" } = rows.find(1n) ?? {};
  expect(body.length).toBeGreaterThan(12_000);
  expect(body.length).toBeLessThanOrEqual(16_100);
  expect([body.includes('"63.0"'), body.includes('"0.0"')]).toEqual([true, false]);
});
