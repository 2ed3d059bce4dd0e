import { expect, test } from "vitest";
import { systemHost } from "../system-host.ts";
import { makeEphemeralKey } from "./session-key.ts";

const make = () => makeEphemeralKey(systemHost.randomness);

test("both sides derive the same key, and nobody else does", () => {
  const [one, two, third] = [make(), make(), make()];
  const seal = one.agree(two.publicKey, "opening")?.seal("text") ?? "";
  expect(seal).toMatch(/^[0-9a-f]{64}$/);
  const both = two.agree(one.publicKey, "opening");
  expect([both?.holds("text", seal), both?.holds("texts", seal), both?.holds("text", "")]).toEqual([
    true,
    false,
    false,
  ]);
  expect(third.agree(one.publicKey, "opening")?.holds("text", seal)).toBe(false);
  expect(two.agree(one.publicKey, "another opening")?.holds("text", seal)).toBe(false);
});

test.each(["", "00", "00".repeat(32), "zz".repeat(32)])("%j is no key of another side", (publicKey) => {
  expect(make().agree(publicKey, "")).toBeNull();
});
