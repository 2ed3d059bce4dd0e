import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SimulatedNetwork } from "../../testing/simulated-network.ts";
import {
  anyCommand,
  causeOf,
  nextEntry,
  resultOf,
  sign,
  signText,
  TestReplica,
} from "../../testing/transition-fixture.ts";
import type { Command } from "../engine/command.ts";
import { EntryContent, entryTypes } from "./entry-content.ts";
import { readContent } from "./read-content.ts";

const network = new SimulatedNetwork();
const alice = network.registerMember("alice");
const submission = network.submitContent(alice, {
  actAs: [alice.party],
  commands: [anyCommand(alice.party)],
});
const text = EntryContent.encode(submission);
const [founding = ""] = network.log.map(({ content }) => content);
const read = (content: string) => readContent({ content, signatures: [] }, Buffer.byteLength(content));

describe("a content", () => {
  test("is read from its canonical text", () => {
    expect(read(text)).toEqual(submission);
  });

  test("has no second form", () => {
    const other: readonly string[] = [
      ` ${text}`,
      `${text}\n`,
      text.replace(",", ", "),
      text.replace('"Submit"', '"\\u0053ubmit"'),
      text.replace('"ledger-user"', '"ledger\\u002duser"'),
      // Optional fields at the end may be left out of a payload, but not of an entry.
      founding.replace(",null]", "]"),
    ];
    for (const form of other) {
      expect([text, founding]).not.toContain(form);
      expect(read(form)).toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    expect(causeOfRead(`${text}\n`)).toContain("canonical form");
  });

  test("has no second form where it carries data of an unknown type", () => {
    const anyText = fc.string({ unit: fc.constantFrom(...'a"\\\u0001é😀\ud800[ ,') });
    const space = fc.constantFrom("", "", "", " ", "\n");
    const written = fc.oneof(
      anyText.map((given) => JSON.stringify(given)),
      anyText.map((given) => `"${given}"`),
    );
    const scalar = fc.oneof(written, fc.constantFrom("null", "true", "1", "-0", "1.0", "1e3", '"\\u0061"'));
    const { data } = fc.letrec<{ data: string }>((tie) => ({
      data: fc.oneof(
        { depthSize: "small" },
        scalar,
        fc
          .tuple(space, fc.array(tie("data")), space)
          .map(([a, each, b]) => `[${a}${each.join(`,${b}`)}${b}]`),
        fc.tuple(written, tie("data")).map(([key, value]) => `{${key}:${value},${key}:${value}}`),
        fc.tuple(written, tie("data")).map(([key, value]) => `{${key}:${value}}`),
      ),
    }));
    const withPayload = (payload: string) => {
      const command: Command = { tag: "Create", value: { templateId: "any", payload: "the payload" } };
      const content = network.submitContent(alice, { actAs: [alice.party], commands: [command] });
      return EntryContent.encode(content).replace('"the payload"', () => payload);
    };
    fc.assert(
      fc.property(data, (payload) => {
        const isRead = !("code" in read(withPayload(payload)));
        expect(isRead).toBe(canonicalJson(payload) === payload);
      }),
      { numRuns: 1000 },
    );
  });

  test("is of a rigid type, unless it carries a configuration", () => {
    const others = Object.entries(entryTypes).filter(([, type]) => !type.isRigid);
    expect(others.map(([tag]) => tag)).toEqual(["FoundNetwork", "ContinueNetwork", "ImportState"]);
  });

  test("a mutated content is refused or is another content", () => {
    const place = fc.nat({ max: text.length });
    fc.assert(
      fc.property(place, place, fc.string({ maxLength: 3 }), (from, to, inserted) => {
        const changed = text.slice(0, Math.min(from, to)) + inserted + text.slice(Math.max(from, to));
        fc.pre(changed !== text);
        const content = read(changed);
        if (!("code" in content)) expect(EntryContent.encode(content)).toBe(changed);
      }),
      { numRuns: 1000 },
    );
  });
});

/** The one text of the data; null if there is none. */
function canonicalJson(json: string): string | null {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return null;
  }
}

function causeOfRead(content: string): string {
  const result = read(content);
  return "code" in result ? result.cause : "";
}

/** Texts that are no contents, each of which would be the end of a replica that trusted it. */
const malformed: readonly [string, string][] = [
  ["nothing", ""],
  ["no JSON", "Tick"],
  ["half of it", text.slice(0, text.length / 2)],
  ["null", "null"],
  ["a number", "1"],
  ["an object", "{}"],
  ["an empty array", "[]"],
  ["a tag alone", '["Tick"]'],
  ["a tag nobody knows", '["Prune",[]]'],
  ["a tag that every object has", '["constructor",[]]'],
  ["a tag that changes objects", '["__proto__",[]]'],
  ["a value too many", '["Tick",[],[]]'],
  ["fields missing", '["Tick",["network"]]'],
  ["fields of wrong types", '["Tick",[1,2,3,4]]'],
  ["a number too large", text.replace(/"\d{16}"/, `"${"9".repeat(39)}"`)],
  ["a number with leading zeros", text.replace(/"(\d{16})"/, '"0$1"')],
  ["a field too many", `${text.slice(0, -2)},null]]`],
  ["text with a zero character", text.replace("ledger-user", "ledger\\u0000user")],
  ["text with half a surrogate pair", text.replace("ledger-user", "ledger\\ud800user")],
  ["a party that is none", text.replaceAll(alice.party, "alice")],
  ["arrays nested a million deep", "[".repeat(1_000_000)],
  ["arrays nested a million deep and closed", "[".repeat(1_000_000) + "]".repeat(1_000_000)],
  ["objects nested deep", '{"a":'.repeat(100_000)],
  ["a string that does not end", '"'.repeat(99_999)],
  ["backslashes", `"${"\\".repeat(99_999)}`],
  [
    "deep data where a command's argument stands",
    text.replace('["Create",', `["Create",[${"[".repeat(9999)}`),
  ],
];

describe("malformed content", () => {
  test.each(malformed)("does not stop a replica and changes nothing but its head: %s", (_case, content) => {
    expect(content).not.toBe(text);
    const replica = new TestReplica({}, network.state);
    const before = network.state.head;
    const outcome = replica.decide(
      nextEntry(network.state, signText(content, [alice.signingKey]), network.clock),
    );
    expect(resultOf(outcome)).toBe("INVALID_ARGUMENT");
    expect(causeOf(outcome).length).toBeLessThan(1000);
    expect(outcome).toMatchObject({ created: [], archived: [], changes: [], completion: null });
    expect(outcome.head.sequence).toBe(before.sequence + 1);
  });

  test("includes any random text", () => {
    const replica = new TestReplica({ verify: () => true }, network.state);
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json()), (content) => {
        const outcome = replica.decide(nextEntry(network.state, { content, signatures: [] }));
        expect(resultOf(outcome)).toBe("INVALID_ARGUMENT");
        expect(outcome.changes).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});

describe("bounds", () => {
  /** A submission padded to that many bytes. */
  const padded = (bytes: number, filler: string) => {
    const room = bytes - Buffer.byteLength(text.replace("ledger-user", ""));
    const fitted =
      filler.repeat(room / Buffer.byteLength(filler)) + "x".repeat(room % Buffer.byteLength(filler));
    return text.replace("ledger-user", fitted);
  };

  test.each(["x", "€"])("a content has at most 4,000,000 bytes, here of %s", (filler) => {
    expect(Buffer.byteLength(padded(4_000_000, filler))).toBe(4_000_000);
    expect(read(padded(4_000_000, filler))).toMatchObject({ tag: "Submit" });
    expect(causeOfRead(padded(4_000_001, filler))).toContain("4000000 bytes");
  });

  test("an entry has at most 64 signatures", () => {
    const signed = sign(submission, [alice.signingKey]);
    const many = (count: number) => ({
      ...signed,
      signatures: Array.from({ length: count }, () => signed.signatures).flat(),
    });
    const replica = new TestReplica({}, network.state);
    expect(resultOf(replica.decide(nextEntry(network.state, many(64))))).toBe("accepted");
    const outcome = replica.decide(nextEntry(network.state, many(65)));
    expect(resultOf(outcome)).toBe("INVALID_ARGUMENT");
    expect(causeOf(outcome)).toContain("64 signatures");
  });

  test("a content nests at most 128 deep; brackets in texts do not count", () => {
    // The payload stands five arrays deep: content, submission, commands, command, its fields.
    const nested = (depth: number) => {
      const payload: unknown = JSON.parse("[".repeat(depth) + "]".repeat(depth));
      const command: Command = { tag: "Create", value: { templateId: "any", payload } };
      return EntryContent.encode(network.submitContent(alice, { actAs: [alice.party], commands: [command] }));
    };
    expect(read(nested(123))).toMatchObject({ tag: "Submit" });
    expect(causeOfRead(nested(124))).toContain("nests deeper than 128");
    for (const harmless of ["[".repeat(200), '\\"[['.repeat(200), "\\\\".repeat(200)]) {
      expect(read(text.replace("ledger-user", harmless))).toMatchObject({ tag: "Submit" });
    }
  });
});

test("a text that UTF-8 cannot write counts in memory as it does when read back from the log", () => {
  const replica = new TestReplica({ verify: () => true }, network.state);
  const decide = (userId: string) =>
    replica.decide(
      nextEntry(network.state, signText(text.replace("ledger-user", userId), [alice.signingKey])),
    );
  const inMemory = decide("half \ud800 pair");
  const readBack = decide("half \ufffd pair");
  expect(resultOf(readBack)).toBe("accepted");
  expect(inMemory).toEqual(readBack);
});
