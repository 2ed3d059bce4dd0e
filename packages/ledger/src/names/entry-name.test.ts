import fc from "fast-check";
import { expect, test } from "vitest";
import { completeName, maxLabelLength, nameSuffix, parseEntryName } from "./entry-name.ts";

const longLabel = "a".repeat(45);

test.each([
  [undefined, ".unverified.cns", 45],
  ["cns", ".unverified.cns", 45],
  ["CNS", ".unverified.cns", 45],
  ["ANS", ".unverified.ans", 45],
  ["x", ".unverified.x", 47],
  ["example", ".unverified.example", 41],
])("acronym %s: suffix %s, labels of up to %i characters", (acronym, suffix, longest) => {
  expect(nameSuffix(acronym)).toBe(suffix);
  expect(maxLabelLength(acronym)).toBe(longest);
});

test.each([
  "alice.unverified.cns",
  "a.unverified.cns",
  "0.unverified.cns",
  "-_-.unverified.cns",
  "abcdefghijklmnopqrstuvwxyz0123456789_-.unverified.cns",
  `${longLabel}.unverified.cns`,
])("%s is a name", (text) => {
  expect(parseEntryName(text)).toEqual({ ok: true, value: text });
});

test.each([
  ["", "does not end with"],
  ["alice", "does not end with"],
  ["alice.unverified.ans", "does not end with"],
  ["alice.unverified.CNS", "does not end with"],
  ["alice.unverified.cns ", "does not end with"],
  ["alice.unverified.cns\n", "does not end with"],
  ["aliceXunverified.cns", "does not end with"],
  ["dso.cns", "does not end with"],
  ["unverified.cns", "does not end with"],
  [".unverified.cns", "nothing stands before"],
  ["a.b.unverified.cns", "there is a dot"],
  ["alice..unverified.cns", "there is a dot"],
  ["Alice.unverified.cns", "capital letters"],
  ["al ice.unverified.cns", 'the character " "'],
  ["al$ice.unverified.cns", 'the character "$"'],
  ["alice\n.unverified.cns", 'the character "\\n"'],
  ["älice.unverified.cns", 'the character "ä"'],
  ["ａ.unverified.cns", 'the character "ａ"'],
  ["a😀.unverified.cns", 'the character "😀"'],
  [`${longLabel}a.unverified.cns`, "has 46 characters"],
])("%j is not a name: %s", (text, problem) => {
  expect(parseEntryName(text)).toEqual({ ok: false, error: expect.stringContaining(problem) });
});

test.each([
  ["x", 47],
  ["example", 41],
])("under the acronym %s the longest label has %i characters and the whole name 60", (acronym, longest) => {
  const name = `${"b".repeat(longest)}.unverified.${acronym}`;
  expect(name.length).toBe(60);
  expect(parseEntryName(name, acronym)).toEqual({ ok: true, value: name });
  expect(parseEntryName(`b${name}`, acronym).ok).toBe(false);
});

test("an acronym is not a pattern: its special characters stand for themselves", () => {
  expect(parseEntryName("alice.unverified.c.s", "c.s")).toEqual({ ok: true, value: "alice.unverified.c.s" });
  expect(parseEntryName("alice.unverified.cns", "c.s").ok).toBe(false);
});

test("an acronym that leaves no room for a label makes every name an error", () => {
  expect(parseEntryName(`a.unverified.${"c".repeat(47)}`, "c".repeat(47)).ok).toBe(true);
  expect(completeName("a", "c".repeat(48))).toEqual({
    ok: false,
    error: expect.stringContaining("leaves no room"),
  });
});

test.each([
  ["alice", "cns", "alice.unverified.cns"],
  ["alice.unverified.cns", "cns", "alice.unverified.cns"],
  ["alice", "CNS", "alice.unverified.cns"],
  ["alice.unverified.cns", "CNS", "alice.unverified.cns"],
  ["alice.unverified.ans", "ans", "alice.unverified.ans"],
  ["unverified", "cns", "unverified.unverified.cns"],
  ["cns", "cns", "cns.unverified.cns"],
  [longLabel, "cns", `${longLabel}.unverified.cns`],
])("the chosen name %s under %s becomes %s", (chosen, acronym, name) => {
  expect(completeName(chosen, acronym)).toEqual({ ok: true, value: name });
});

test.each([
  ["", "nothing stands before"],
  [".unverified.cns", "nothing stands before"],
  ["alice.unverified.ans", "there is a dot"],
  ["alice.unverified.CNS", "there is a dot"],
  ["unverified.cns", "there is a dot"],
  ["alice.unverified.cns.unverified.cns", "there is a dot"],
  ["Alice", "capital letters"],
  ["alice ", 'the character " "'],
  [`${longLabel}a`, "has 46 characters"],
])("the chosen name %j can't be completed: %s", (chosen, problem) => {
  expect(completeName(chosen, "cns")).toEqual({ ok: false, error: expect.stringContaining(problem) });
});

test("an error says what was given, what is allowed and what to do", () => {
  expect(completeName("Alice")).toEqual({
    ok: false,
    error:
      'Name "Alice": it has capital letters. Allowed: 1 to 45 characters of a-z, 0-9, "_" and "-", ' +
      'then ".unverified.cns". Write it in lower case.',
  });
  const huge = completeName("x".repeat(1_000_000));
  expect(huge.ok ? "" : huge.error).toMatch(
    /^Name "x{80}"… \(1000000 characters\): .*Shorten it to at most 45\.$/,
  );
});

test("a completed name is a full name, and completing it again changes nothing", () => {
  const acronyms = fc.constantFrom("cns", "CNS", "ans", "x", "example");
  const almostLabel = fc.string({ unit: fc.constantFrom(..."az09_-.A é"), maxLength: 50 });
  fc.assert(
    fc.property(almostLabel, acronyms, (chosen, acronym) => {
      const completed = completeName(chosen, acronym);
      if (!completed.ok) return;
      expect(parseEntryName(completed.value, acronym)).toEqual(completed);
      expect(completeName(completed.value, acronym)).toEqual(completed);
      expect(completed.value.length).toBeLessThanOrEqual(60);
    }),
  );
});
