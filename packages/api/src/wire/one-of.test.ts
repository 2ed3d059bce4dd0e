import { describe, expect, test } from "vitest";
import { z } from "zod";
import { check } from "./check.ts";
import { nothing, oneOf, value } from "./one-of.ts";

const variants = {
  Named: value(z.object({ id: z.string() })),
  Sized: value(z.object({ size: z.number().default(1) })),
  Empty: nothing,
};
const chosen = oneOf(variants);
const tried = z.union([
  z.object({ Named: variants.Named }),
  z.object({ Sized: variants.Sized }),
  z.object({ Empty: variants.Empty }),
]);

describe("a choice between variants is read as zod's union of them", () => {
  test.each<[string, unknown]>([
    ["the first variant", { Named: { value: { id: "a" } } }],
    ["a later one", { Sized: { value: {} } }],
    ["the last one", { Empty: {} }],
    ["a field that no variant has", { Empty: {}, other: 1 }],
    ["two variants", { Empty: {}, Sized: { value: { size: 2 } } }],
    ["two variants, of which the first has a fault", { Sized: { value: { size: "2" } }, Empty: {} }],
    ["a fault within a variant", { Named: { value: { id: 1 } } }],
    ["a variant without its value", { Sized: {} }],
    ["an unknown variant", { Other: {} }],
    ["no variant", {}],
    ["a variant's name alone", "Empty"],
    ["a list", [{ Empty: {} }]],
    ["null", null],
    ["nothing", undefined],
  ])("%s", (_, given) => {
    expect(check(chosen, given)).toEqual(check(tried, given));
    expect(chosen.safeParse(given).error?.issues).toEqual(tried.safeParse(given).error?.issues);
  });
});

test("a list of choices ends at the first fault, and tells its place", () => {
  const list = z.array(chosen);
  expect(check(list, [{ Empty: {} }, { Sized: { value: { size: "2" } } }, { Named: 1 }])).toEqual({
    ok: false,
    problem: {
      path: "[1].Sized.value.size",
      reason: "expected number, received string",
      kind: "malformed",
    },
  });
});
