import { expect, test } from "vitest";
import { decideRotation } from "./decide-rotation.ts";

const held = { present: "old", next: "new" };

test.each([
  [["old"], "add", ["old", "new"]],
  [["old", "stranger"], "add", ["old", "new"]],
  [["old", "new"], "replace", ["new"]],
  [["new", "old"], "replace", ["new"]],
  [["new", "stranger"], "replace", ["new"]],
] as const)("the network has %j: %s, so that it has %j", (signingKeys, kind, expected) => {
  const step = decideRotation({ signingKeys, serial: 7n }, held, { replaceUnknown: false });
  expect(step).toEqual({ kind, keys: { signingKeys: expected, serial: 8n } });
});

test("the network has the new key alone: done", () => {
  const registered = { signingKeys: ["new"], serial: 3n };
  expect(decideRotation(registered, held, { replaceUnknown: false })).toEqual({ kind: "done" });
  expect(decideRotation(registered, held, { replaceUnknown: true })).toEqual({ kind: "done" });
});

test("keys of a stranger are replaced only when that is asked for", () => {
  const registered = { signingKeys: ["stranger"], serial: 2n };
  expect(decideRotation(registered, held, { replaceUnknown: false })).toEqual({
    kind: "refused",
    reason: expect.stringContaining("keys rotate --replace-unknown"),
  });
  expect(decideRotation(registered, held, { replaceUnknown: true })).toEqual({
    kind: "replace",
    keys: { signingKeys: ["new"], serial: 3n },
  });
});

test.each([true, false])("a member that the network does not know has no key to rotate", (replaceUnknown) => {
  expect(decideRotation(null, held, { replaceUnknown })).toMatchObject({ kind: "refused" });
});
