import { expect, test } from "vitest";
import { shortenId, shortenTemplate } from "./template-name.ts";

test("a template is shown by its name and module", () => {
  expect(shortenTemplate("#splice-amulet:Splice.Amulet:Amulet")).toEqual({
    ...{ name: "Amulet", module: "Splice.Amulet" },
  });
  expect(shortenTemplate("odd")).toEqual({ name: "odd", module: "" });
});

test("a long id keeps its ends, a short one all of it", () => {
  expect(shortenId(`00${"a".repeat(30)}12345678`)).toBe("00aaaaaa…12345678");
  expect(shortenId("0123456789")).toBe("0123456789");
});
