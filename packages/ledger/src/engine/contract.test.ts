/** Contract ids, and the blobs by which contracts are handed on. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alice, Machine, Paper } from "../../testing/engine-fixture.ts";
import { createPaper, EngineLedger, runPaper } from "../../testing/engine-ledger.ts";
import { sha256 } from "../../testing/sha256.ts";
import { isContractId } from "../values/contract-id.ts";
import { addDuration, MAX_TIME, MIN_TIME, time } from "../values/time.ts";
import { type Contract, contractIdOf, formatBlob, parseBlob } from "./contract.ts";

const NEW_YEAR = time("2026-01-01T00:00:00Z");
const content = { templateId: Paper.id, payload: `[["${alice}"],[],"words"]`, createdAt: NEW_YEAR };
const PLACE = sha256("a place in a transaction");

function contractOf(given: Omit<Contract, "contractId">): Contract {
  return { contractId: contractIdOf(sha256, PLACE, given), ...given };
}

/** One create; its contract's id depends on the seed, the place before it and the payload. */
function idOf({ seed = "seed", before = 0, text = "" }) {
  const ledger = new EngineLedger();
  const first = createPaper({ signatories: [alice], text: "before" });
  const commands = [...new Array(before).fill(first), createPaper({ signatories: [alice], text })];
  const id = ledger.submit({ commands, actAs: [alice], seed }).results[before];
  return typeof id === "string" ? id : "";
}

describe("a contract id", () => {
  test("has 138 characters: 00, 32 bytes for the place, ca10 1220 and 32 bytes for the content", () => {
    const id = idOf({});
    expect(id).toMatch(/^00[0-9a-f]{64}ca101220[0-9a-f]{64}$/);
    expect(id).toHaveLength(138);
    expect(isContractId(id)).toBe(true);
  });

  test("is the same for the same seed, place and content, and another if one of them is", () => {
    const ids = [idOf({}), idOf({ seed: "other" }), idOf({ before: 1 }), idOf({ text: "other" })];
    expect(idOf({})).toBe(ids[0]);
    expect(new Set(ids).size).toBe(4);
  });

  test("shows the place in its first half, and the content in its second", () => {
    const [one, other, elsewhere] = [idOf({}), idOf({ text: "other" }), idOf({ before: 1 })];
    expect(one.slice(2, 66)).toBe(other.slice(2, 66));
    expect(one.slice(74)).not.toBe(other.slice(74));
    expect(one.slice(2, 66)).not.toBe(elsewhere.slice(2, 66));
  });

  test("differs for equal contracts of one transaction, at its top and inside", () => {
    const ledger = new EngineLedger();
    const create = { do: "create" as const, signatories: [alice] };
    const run = runPaper(ledger.paper({ signatories: [alice] }), {
      actors: [alice],
      steps: [create, create],
    });
    const equal = createPaper({ signatories: [alice] });
    const { transaction } = ledger.submit({ commands: [equal, equal, run, equal], actAs: [alice] });
    const ids = transaction.nodes.flatMap((node) => (node.kind === "create" ? node.contract.contractId : []));
    expect(new Set(ids).size).toBe(5);
  });

  test.each([
    ["template", { templateId: Machine.id }],
    ["payload", { payload: `[["${alice}"],[],"word"]` }],
    ["creation time", { createdAt: addDuration(NEW_YEAR, 1n) }],
  ])("binds the %s", (_, change) => {
    const [before, after] = [contractOf(content), contractOf({ ...content, ...change })];
    expect(after.contractId.slice(0, 74)).toBe(before.contractId.slice(0, 74));
    expect(after.contractId.slice(74)).not.toBe(before.contractId.slice(74));
  });
});

describe("a created-event blob", () => {
  const refused = (blob: string) => {
    const result = parseBlob(sha256, blob);
    return result.ok ? "accepted" : result.error;
  };

  test("is the canonical text of the create", () => {
    const contract = contractOf(content);
    expect(formatBlob(contract)).toBe(
      `["callsign-create-1","${contract.contractId}","${Paper.id}","1767225600000000",[["${alice}"],[],"words"]]`,
    );
  });

  test.each([
    ["quotes and backslashes", 'a "b" \\ c \\" d'],
    ["what looks like the end", '"]]'],
    ["line breaks", "a\nb\r\nc\u2028d\u2029e"],
    ["control characters", "\u0001\u001f\u007f\u0085"],
    ["signs beyond the first plane", "\u{1f600}\u{10ffff}"],
    ["what JavaScript must not take for half a pair", "\ufffd\uffff\ue000"],
    ["nothing", ""],
    ["a hundred thousand characters", "é".repeat(100_000)],
  ])("gives back a contract whose text holds %s", (_, text) => {
    const ledger = new EngineLedger();
    const contract = ledger.contract(ledger.paper({ signatories: [alice], text }));
    expect(parseBlob(sha256, formatBlob(contract))).toEqual({ ok: true, value: contract });
  });

  test.each([MIN_TIME, time("1969-12-31T23:59:59.999999Z"), time("1970-01-01T00:00:00Z"), MAX_TIME])(
    "gives back a contract made at %s µs",
    (createdAt) => {
      const contract = contractOf({ ...content, createdAt });
      expect(parseBlob(sha256, formatBlob(contract))).toEqual({ ok: true, value: contract });
    },
  );

  test("gives back any contract with any text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.bigInt({ min: MIN_TIME, max: MAX_TIME }),
        (text, micros) => {
          const payload = Paper.record.encode({ signatories: [alice], observers: [], text });
          const contract = contractOf({
            ...content,
            payload,
            createdAt: addDuration(time("1970-01-01T00:00:00Z"), micros),
          });
          expect(parseBlob(sha256, formatBlob(contract))).toEqual({ ok: true, value: contract });
        },
      ),
      { numRuns: 100 },
    );
  });

  test("with any byte changed, added or taken away is refused", () => {
    const blob = Buffer.from(
      formatBlob(contractOf({ ...content, payload: `[["${alice}"],[],"wörds \\" 007"]` })),
    );
    const byte = fc.integer({ min: 0x20, max: 0x7e });
    fc.assert(
      fc.property(fc.nat(blob.length - 1), byte, fc.constantFrom(0, 1), fc.boolean(), (at, put, cut, add) => {
        const bytes = [...blob.subarray(0, at), ...(add ? [put] : []), ...blob.subarray(at + cut)];
        const changed = Buffer.from(bytes);
        fc.pre(!changed.equals(blob));
        expect(refused(changed.toString("utf8"))).toContain("created-event blob");
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ["a leading zero in the time", (blob: string) => blob.replace('"1767', '"01767')],
    ["another version", (blob: string) => blob.replace("create-1", "create-2")],
    [
      "a time beyond the calendar",
      (blob: string) => blob.replace('"1767225600000000"', '"999999999999999999"'),
    ],
    ["another contract's id", (blob: string) => blob.replace(/"00[0-9a-f]+"/, `"${idOf({})}"`)],
    ["an id without its second half", (blob: string) => blob.replace(/"(00[0-9a-f]{64})[0-9a-f]+"/, '"$1"')],
    ["a space behind it", (blob: string) => `${blob} `],
    ["nothing in it", () => ""],
  ])("with %s is refused", (_, change) => {
    expect(refused(change(formatBlob(contractOf(content))))).toMatch(
      /^created-event blob .* is not valid: use the blob that came with the contract's created event, unchanged\.$/,
    );
  });

  test("with a zero that has a sign is refused", () => {
    const blob = formatBlob(contractOf({ ...content, createdAt: time("1970-01-01T00:00:00Z") }));
    expect(refused(blob)).toBe("accepted");
    expect(refused(blob.replace('"0"', '"-0"'))).not.toBe("accepted");
  });
});
