import { describe, expect, test } from "vitest";
import { formatContractId, isContractId, parseContractId } from "./contract-id.ts";

const hash = "0123456789abcdef".repeat(4);

describe("a contract id", () => {
  test.each([
    ["of ours: 138 characters", `00${hash}ca101220${hash}`],
    ["with Canton's other suffixes", `00${hash}ca121220${hash}`],
    ["without a suffix", `00${hash}`],
    ["with a suffix of one byte", `00${hash}ff`],
    ["with the longest suffix, 94 bytes", `00${hash}${"ab".repeat(94)}`],
    ["of version 2, without a suffix", `01${"0f".repeat(12)}`],
    ["of version 2, with the longest suffix, 33 bytes", `01${"0f".repeat(12)}${"ab".repeat(33)}`],
  ])("%s", (_what, given) => {
    expect(isContractId(given)).toBe(true);
    expect(parseContractId(given)).toEqual({ ok: true, value: given });
  });

  test.each([
    ["nothing", ""],
    ["the prefix alone", "00"],
    ["a discriminator that is too short", `00${hash.slice(2)}`],
    ["a suffix of 95 bytes", `00${hash}${"ab".repeat(95)}`],
    ["half a byte too many", `00${hash}f`],
    ["capital letters", `00${hash.toUpperCase()}`],
    ["another version", `02${hash}`],
    ["no version", "ab".repeat(33)],
    ["a letter beyond f", `00${hash.slice(0, 63)}g`],
    ["a character outside ASCII", `00${hash.slice(0, 63)}é`],
    ["a character whose code ends like a digit's", `00${hash.slice(0, 63)}\u0130`],
    ["a space", `00${hash.slice(0, 63)} `],
    ["a line break at the end", `00${hash.slice(1)}\n`],
    ["Java's rendering", `ContractId(00${hash})`],
    ["a short one of version 2", `01${"0f".repeat(11)}`],
    ["a suffix of 34 bytes in version 2", `01${"0f".repeat(12)}${"ab".repeat(34)}`],
    ["a million characters", "0".repeat(1_000_000)],
  ])("not %s", (_what, given) => {
    expect(isContractId(given)).toBe(false);
    expect(parseContractId(given).ok).toBe(false);
  });

  test("a refusal names what was given and what is allowed", () => {
    expect(parseContractId("#1:0")).toEqual({
      ok: false,
      error:
        'contract id "#1:0" is not valid: a contract id is lower-case hex: 00, 64 digits and a suffix ' +
        "of at most 188, or 01, 24 digits and a suffix of at most 66.",
    });
  });

  test("is made of a discriminator and a hash of the content", () => {
    const [discriminator, contentHash] = ["1".repeat(64), "2".repeat(64)];
    const made = formatContractId({ discriminator, contentHash });
    expect(made).toBe(`00${discriminator}ca101220${contentHash}`);
    expect(made.length).toBe(138);
    expect(isContractId(made)).toBe(true);
  });
});
