import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memberKey, verifyEd25519 } from "../../testing/member-key.ts";
import { sha256 } from "../../testing/sha256.ts";
import { signText } from "../../testing/transition-fixture.ts";
import { MAX_TIME, MIN_TIME, type Time, time } from "../values/time.ts";
import {
  FIRST_PREVIOUS_HASH,
  formatLogEntry,
  hashLogEntry,
  type LogEntry,
  parseLogEntry,
  signedMessage,
  stampMessage,
  verifiedKeys,
} from "./log-entry.ts";

const key = "1".repeat(64);
const signature = "2".repeat(128);
const entry: LogEntry = {
  sequence: 7,
  previousHash: "ab".repeat(32),
  stampedAt: time("1970-01-01T00:00:01Z"),
  signatures: [{ publicKey: key, signature }],
  content: '["Tick",[]]',
};
const bytes = formatLogEntry(entry);

const hex = (digits: number) =>
  fc
    .array(fc.constantFrom(..."0123456789abcdef"), { minLength: digits, maxLength: digits })
    .map((chars) => chars.join(""));
const anySignature = fc.record({ publicKey: hex(64), signature: hex(128) });
const anyStamp = fc.bigInt({ min: MIN_TIME, max: MAX_TIME }).map((micros) => ({ stampedAt: micros as Time }));
const anyForm = fc.oneof(
  anyStamp,
  fc.constant({ stampedAt: null }),
  fc.tuple(anyStamp, anySignature).map(([stamp, stampedBy]) => ({ ...stamp, stampedBy })),
);
const anyUnstamped = fc.record({
  sequence: fc.nat(),
  previousHash: hex(64),
  signatures: fc.array(anySignature, { maxLength: 3 }),
  // Nobody signs several lines, but what somebody does sign must be read back as it was.
  content: fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("\n", "a\nb", "\n[]\n")),
});
const anyEntry: fc.Arbitrary<LogEntry> = fc
  .tuple(anyUnstamped, anyForm)
  .map(([entry, stamp]) => ({ ...entry, ...stamp }));

describe("an entry's bytes", () => {
  test("are the header as a line of JSON, and the content as it was signed", () => {
    expect(bytes).toBe(`[7,"${"ab".repeat(32)}","1000000",[["${key}","${signature}"]]]\n["Tick",[]]`);
    expect(formatLogEntry({ ...entry, signatures: [] })).toBe(
      `[7,"${"ab".repeat(32)}","1000000",[]]\n["Tick",[]]`,
    );
  });

  test("say that there is no stamp, or who signed it", () => {
    const { stampedAt, ...plain } = entry;
    const signed = `["${key}","${signature}"]`;
    expect(formatLogEntry({ ...plain, stampedAt: null })).toBe(
      `[7,"${"ab".repeat(32)}",null,[${signed}]]\n["Tick",[]]`,
    );
    const stampedBy = { publicKey: "3".repeat(64), signature: "4".repeat(128) };
    expect(formatLogEntry({ ...entry, stampedBy })).toBe(
      `[7,"${"ab".repeat(32)}","1000000",[${signed}],["${"3".repeat(64)}","${"4".repeat(128)}"]]\n["Tick",[]]`,
    );
  });

  test("are read back as the entry they were made of", () => {
    fc.assert(
      fc.property(anyEntry, (given) => {
        expect(parseLogEntry(formatLogEntry(given))).toEqual({ ok: true, value: given });
      }),
    );
  });

  test("have one form: what can be read is what would be written", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), anyEntry.map(formatLogEntry)), (given) => {
        const read = parseLogEntry(given);
        if (read.ok) expect(formatLogEntry(read.value)).toBe(given);
      }),
    );
  });

  test("with any character changed, added or left out are refused or have another hash", () => {
    const change = fc.record({
      at: fc.nat({ max: bytes.length - 1 }),
      removed: fc.constantFrom(0, 1),
      inserted: fc.constantFrom("", "0", "9", "a", "F", " ", ",", '"', "[", "]", "\n", "-", "é"),
    });
    const hash = hashLogEntry(sha256, entry);
    fc.assert(
      fc.property(change, ({ at, removed, inserted }) => {
        const changed = bytes.slice(0, at) + inserted + bytes.slice(at + removed);
        fc.pre(changed !== bytes);
        const read = parseLogEntry(changed);
        if (read.ok) expect(hashLogEntry(sha256, read.value)).not.toBe(hash);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ["nothing at all", ""],
    ["no header", '["Tick",[]]'],
    ["no content line", bytes.slice(0, bytes.indexOf("\n"))],
    ["a space in the header", bytes.replace(",", ", ")],
    ["a sequence number with a leading zero", bytes.replace("[7,", "[07,")],
    ["a negative sequence number", bytes.replace("[7,", "[-7,")],
    ["a sequence number beyond what numbers keep exactly", bytes.replace("[7,", "[9007199254740993,")],
    ["a time with a leading zero", bytes.replace('"1000000"', '"01000000"')],
    ["a time of minus zero", bytes.replace('"1000000"', '"-0"')],
    ["a time with a plus sign", bytes.replace('"1000000"', '"+1000000"')],
    ["a time after the year 9999", bytes.replace('"1000000"', `"${MAX_TIME + 1n}"`)],
    ["a time before the year 1", bytes.replace('"1000000"', `"${MIN_TIME - 1n}"`)],
    ["a previous hash in capitals", bytes.replace("ab", "AB")],
    ["a previous hash that is too short", bytes.replace("ab", "")],
    ["a key that is too long", bytes.replace(key, `${key}1`)],
    ["a signature in capitals", bytes.replace(signature, "A".repeat(128))],
    ["a signature that is too short", bytes.replace(signature, signature.slice(2))],
    ["something between two signatures", bytes.replace("]]]", `],0,["${key}","${signature}"]]]`)],
    ["something behind the signatures", bytes.replace("]]]\n", "]],0]\n")],
    [
      "a signature of no stamp",
      bytes.replace('"1000000"', "null").replace("]]]\n", `]],["${key}","${signature}"]]\n`),
    ],
    [
      "two signatures of a stamp",
      bytes.replace("]]]\n", `]],["${key}","${signature}"],["${key}","${signature}"]]\n`),
    ],
    ["a short signature of its stamp", bytes.replace("]]]\n", `]],["${key}","${signature.slice(1)}"]]\n`)],
    ["a stamp that reads null", bytes.replace('"1000000"', '"null"')],
    ["a carriage return at the end of the header", bytes.replace("\n", "\r\n")],
    ["an empty line before the header", `\n${bytes}`],
  ])("are refused with %s", (_case, given) => {
    expect(given).not.toBe(bytes);
    const read = parseLogEntry(given);
    expect(read).toMatchObject({ ok: false, error: expect.stringContaining("log entry") });
  });

  test("of a very long malformed entry are not repeated in the error", () => {
    const read = parseLogEntry("x".repeat(1_000_000));
    expect(read.ok ? 0 : read.error.length).toBeLessThan(300);
  });
});

describe("an entry's hash", () => {
  const changes: readonly [string, Partial<LogEntry>][] = [
    ["sequence number", { sequence: 8 }],
    ["previous hash", { previousHash: FIRST_PREVIOUS_HASH }],
    ["stamp", { stampedAt: time("1970-01-01T00:00:01.000001Z") }],
    ["missing stamp", { stampedAt: null }],
    ["stamp's signature", { stampedBy: { publicKey: key, signature } }],
    ["signatures", { signatures: [] }],
    ["content", { content: '["Tick",[0]]' }],
  ];
  test.each(changes)("depends on its %s", (_field, change) => {
    expect(hashLogEntry(sha256, { ...entry, ...change })).not.toBe(hashLogEntry(sha256, entry));
  });

  test("is that of the header and the content's hash", () => {
    const header = bytes.slice(0, bytes.indexOf("\n"));
    expect(hashLogEntry(sha256, entry)).toBe(sha256(`${header}\n${sha256(entry.content)}`));
  });
});

describe("signatures", () => {
  const alice = memberKey("alice");
  const bob = memberKey("bob");

  test("cover the content behind a mark of their own", () => {
    expect(signedMessage("content")).toBe("callsign-entry-1\ncontent");
    const unmarked = { publicKey: alice.publicKey, signature: alice.sign("content") };
    expect(verifiedKeys({ content: "content", signatures: [unmarked] }, verifyEd25519)).toBeNull();
  });

  test("of stamps cover the time and the place, behind a mark of their own", () => {
    expect(stampMessage("ab", time("1970-01-01T00:00:01Z"))).toBe("callsign-stamp-1\nab\n1000000");
  });

  test("valid signatures name their keys, in order", () => {
    expect(verifiedKeys(signText("content", []), verifyEd25519)).toEqual([]);
    expect(verifiedKeys(signText("content", [bob, alice]), verifyEd25519)).toEqual([
      bob.publicKey,
      alice.publicKey,
    ]);
  });

  test("do not hold for other content, another key, or with a bit flipped", () => {
    const { signatures } = signText("content", [alice]);
    const [first] = signatures;
    const flipped = first?.signature.replace(/^./, (digit) => (digit === "0" ? "1" : "0")) ?? "";
    const verified = (content: string, publicKey: string, given: string) =>
      verifiedKeys({ content, signatures: [{ publicKey, signature: given }] }, verifyEd25519);
    expect(verified("content", alice.publicKey, first?.signature ?? "")).toEqual([alice.publicKey]);
    expect(verified("Content", alice.publicKey, first?.signature ?? "")).toBeNull();
    expect(verified("content", bob.publicKey, first?.signature ?? "")).toBeNull();
    expect(verified("content", alice.publicKey, flipped)).toBeNull();
  });

  test("hold all together or not at all", () => {
    const good = signText("content", [alice, bob]).signatures;
    const bad = signText("other", [bob]).signatures;
    expect(verifiedKeys({ content: "content", signatures: [...good, ...bad] }, verifyEd25519)).toBeNull();
  });

  /** The order of Ed25519's group: adding it to a signature's scalar gives the same point. */
  test("cannot be rewritten into a second form by adding the group's order", () => {
    const order = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;
    const [first] = signText("content", [alice]).signatures;
    const original = Buffer.from(first?.signature ?? "", "hex");
    const scalar = BigInt(`0x${Buffer.from(original.subarray(32)).reverse().toString("hex")}`);
    const moved = Buffer.from((scalar + order).toString(16).padStart(64, "0"), "hex").reverse();
    const rewritten = Buffer.concat([original.subarray(0, 32), moved]).toString("hex");
    const envelope = {
      content: "content",
      signatures: [{ publicKey: alice.publicKey, signature: rewritten }],
    };
    expect(verifiedKeys(envelope, verifyEd25519)).toBeNull();
  });
});
