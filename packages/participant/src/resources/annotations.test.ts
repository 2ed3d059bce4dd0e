/** Annotations and update masks against models that are too simple to be wrong. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  findAnnotationsFault,
  findEmptyValue,
  mergeAnnotations,
  parseResourceVersion,
  sizeOf,
} from "./annotations.ts";
import { changeMetadata } from "./object-meta.ts";
import { formatPageToken, parsePageToken } from "./page-token.ts";
import { parseUpdateMask } from "./update-mask.ts";

const key = fc.constantFrom("a", "b", "c", "d", "e/f", "e/g");
const annotations = fc.dictionary(key, fc.constantFrom("", "1", "2", "ä"), { maxKeys: 6 });
const stored = annotations.map((map) =>
  Object.fromEntries(Object.entries(map).filter(([, value]) => value !== "")),
);

test("merging equals setting and deleting the keys one by one", () => {
  fc.assert(
    fc.property(stored, fc.array(annotations), (first, changes) => {
      const model = new Map(Object.entries(first));
      let merged: Readonly<Record<string, string>> = first;
      for (const change of changes) {
        merged = mergeAnnotations(merged, change);
        for (const [name, value] of Object.entries(change)) {
          if (value === "") model.delete(name);
          else model.set(name, value);
        }
      }
      expect(merged).toEqual(Object.fromEntries(model));
      expect(findEmptyValue(merged)).toBeNull();
    }),
  );
});

test("versions count every change, and a given one must be the present one", () => {
  fc.assert(
    fc.property(
      stored,
      fc.array(fc.record({ given: annotations, version: fc.option(fc.bigInt(0n, 5n)) })),
      (first, changes) => {
        let present = { resourceVersion: 0n, annotations: first as Readonly<Record<string, string>> };
        let accepted = 0n;
        for (const { given, version } of changes) {
          const change = () => changeMetadata("user", "u", present, { version, annotations: given });
          if (version !== null && version !== accepted) {
            expect(change).toThrow("CONCURRENT_USER_UPDATE_DETECTED");
            continue;
          }
          accepted += 1n;
          present = change();
        }
        expect(present.resourceVersion).toBe(accepted);
      },
    ),
  );
});

/** A label, a name: one character at a time, as the grammar says it. */
const isLetterOrDigit = (text: string | undefined) => text !== undefined && /^[A-Za-z0-9]$/.test(text);
const isEdged = (text: string) => isLetterOrDigit(text.at(0)) && isLetterOrDigit(text.at(-1));
const has = (text: string, more: string) =>
  [...text].every((each) => isLetterOrDigit(each) || more.includes(each));

function isKey(text: string): boolean {
  const cut = text.replace(/\/+$/, "");
  const [first = "", second, ...more] = cut.split("/");
  if (more.length > 0 || (cut === "" && text !== "")) return false;
  const [prefix, name] = second === undefined ? [null, first] : [first, second];
  const isName = name.length <= 63 && isEdged(name) && has(name, ".-_");
  if (prefix === null) return isName;
  return (
    isName && prefix.length <= 253 && prefix.split(".").every((label) => isEdged(label) && has(label, "-"))
  );
}

test("a key is valid if the grammar allows it", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "a",
      "Z",
      "0",
      ".",
      "-",
      "_",
      "/",
      "é",
      " ",
      "a.b",
      "a-b",
      "x".repeat(63),
      "y".repeat(253),
    ),
    fc.string({ maxLength: 2 }),
  );
  const candidate = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
  const seen = { valid: 0, invalid: 0 };
  fc.assert(
    fc.property(candidate, (text) => {
      const valid = isKey(text);
      seen[valid ? "valid" : "invalid"] += 1;
      expect(findAnnotationsFault({ [text]: "" }, "field") === null, JSON.stringify(text)).toBe(valid);
    }),
    { numRuns: 2000 },
  );
  expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(100);
});

test.each([
  ["a/b/c", "Key 'a/b/c' contains more than one forward slash ('/') character"],
  ["/", "Key '/' contains more than one forward slash ('/') character"],
  ["/a", "Key prefix segment '' has invalid syntax"],
  ["", "Key name segment '' has invalid syntax"],
  ["-a", "Key name segment '-a' has invalid syntax"],
  [
    `${"p".repeat(254)}/n`,
    `Key prefix segment '${"p".repeat(50)}...' exceeds maximum length of 253 characters`,
  ],
  ["n".repeat(64), `Key name segment '${"n".repeat(50)}...' exceeds maximum length of 63 characters`],
  [`-${"n".repeat(52)}`, `Key name segment '-${"n".repeat(52)}' has invalid syntax`],
  [`-${"n".repeat(53)}`, `Key name segment '-${"n".repeat(49)}...' has invalid syntax`],
])("the key %j is refused in its words", (text, words) => {
  expect(findAnnotationsFault({ [text]: "v" }, "field")).toBe(words);
});

test("the size is that of the UTF-8 of keys and values, without removed ones", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" })), (map) => {
      const counted = Object.entries(map).filter(([, value]) => value !== "");
      expect(sizeOf(map)).toBe(new TextEncoder().encode(counted.flat().join("")).length);
    }),
  );
});

test("a version is empty or a signed integer of 64 bits", () => {
  fc.assert(
    fc.property(fc.bigInt(-(2n ** 65n), 2n ** 65n), (value) => {
      const fits = value >= -(2n ** 63n) && value < 2n ** 63n;
      expect(parseResourceVersion(`${value}`)).toBe(fits ? value : undefined);
    }),
  );
  for (const text of ["x", "1.0", " 1", "1 ", "0x1", "1e3", "--1", "+-1", "1n"]) {
    expect(parseResourceVersion(text)).toBeUndefined();
  }
  expect([parseResourceVersion(""), parseResourceVersion("+7"), parseResourceVersion("007")]).toEqual([
    null,
    7n,
    7n,
  ]);
});

const FIELDS = ["id", "meta.annotations", "meta.version", "other"];
const KNOWN = ["id", "meta", "meta.annotations", "meta.version", "other"];

test("a mask selects the fields that its paths name, and the fields below them", () => {
  const path = fc.oneof(
    fc.constantFrom(...KNOWN),
    fc.constantFrom(".", "", "meta.", ".id", "Meta", "meta.annotations.a", "me"),
  );
  fc.assert(
    fc.property(fc.array(path, { maxLength: 5 }), (paths) => {
      const read = parseUpdateMask(paths, FIELDS);
      const unknown = paths.find((each) => !KNOWN.includes(each));
      if (paths.length === 0)
        expect(read).toMatchObject({ ok: false, error: expect.stringContaining("no entries") });
      else if (unknown !== undefined) {
        expect(read).toMatchObject({
          ok: false,
          error: `The update path: '${unknown}' points to an unknown field.`,
        });
      } else if (new Set(paths).size < paths.length) {
        expect(read).toMatchObject({ ok: false, error: expect.stringContaining("is duplicated") });
      } else {
        if (!read.ok) throw new Error(read.error);
        for (const field of FIELDS) {
          const isBelow = field.startsWith("meta.") && paths.includes("meta");
          expect(read.value(field)).toBe(isBelow || paths.includes(field));
        }
      }
    }),
    { numRuns: 1000 },
  );
});

test("a page token comes back, and nothing else is one", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 300 }), (id) => {
      const token = formatPageToken(id);
      expect(token).toMatch(/^[A-Za-z0-9_-]+={0,2}$/);
      expect(token.length % 4).toBe(0);
      expect(parsePageToken(token)).toBe(Buffer.from(id).toString());
    }),
  );
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      expect(parsePageToken(uuid)).toBeUndefined();
    }),
  );
});
