import { expect, test } from "vitest";
import { packBody, unpackBody } from "./packed-body.ts";

const event = { contractId: `00${"ab".repeat(68)}`, witnesses: ["alice::1220", "bob::1220", "zoë"] };
const long = JSON.stringify({ recordTime: "1", events: Array.from({ length: 20 }, () => event) });
const short = JSON.stringify({ recordTime: "1", events: [] });

test("a body is read as it was written", () => {
  for (const body of [long, short]) expect(unpackBody(packBody(body))).toBe(body);
});

test("a long body takes less than a fifth of its length", () => {
  expect(packBody(long).length).toBeLessThan(long.length / 5);
});

test("a body of an earlier release is read as it is", () => {
  expect(unpackBody(long)).toBe(long);
});

test("a body that has changed on disk is never read as another", () => {
  const packed = packBody(long);
  const read = (text: string) => {
    try {
      return unpackBody(text);
    } catch {
      return null;
    }
  };
  const changed = Array.from(packed, (character, i) =>
    read(packed.slice(0, i) + (character === "A" ? "B" : "A") + packed.slice(i + 1)),
  );
  expect(changed).toContain(null);
  // Some bits of a compressed text mean nothing.
  expect(new Set(changed).difference(new Set([null, long]))).toEqual(new Set());
});
