import fc from "fast-check";
import { expect, test } from "vitest";
import { formatJson, parseJson } from "./json-with-bigints.ts";
import { openDatabase } from "./open-database.ts";

/** Any JavaScript string: controls, emoji, halves of surrogate pairs. */
const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.constant("\ud800"),
);

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    fc.bigInt(),
    anyText,
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    fc.array(tie("any"), { maxLength: 4 }),
    fc.dictionary(
      anyText.filter((key) => key !== "bigint"),
      tie("any"),
      { maxKeys: 4, noNullPrototype: true },
    ),
  ),
})).any;

test("a body with bigints and odd texts comes back from a table as it went in", () => {
  const database = openDatabase(":memory:");
  database.exec("create table body (text text not null) strict");
  const insert = database.prepare("insert into body (text) values (?)");
  const select = database.prepare("select text from body where rowid = ?");
  fc.assert(
    fc.property(fc.record({ value }), (body) => {
      const { lastInsertRowid } = insert.run(formatJson(body));
      expect(parseJson(select.get(lastInsertRowid)?.["text"] as string)).toEqual(body);
    }),
    { numRuns: 500 },
  );
  database.close();
});

test("bigints of any size keep every digit, and digits in texts stay texts", () => {
  const body = {
    large: 2n ** 200n,
    negative: -(2n ** 63n),
    zero: 0n,
    text: "12345678901234567890",
    number: 7,
  };
  expect(parseJson(formatJson(body))).toEqual(body);
});
