import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LICENSES_PAGE, renderLicenses } from "./third-party-licenses.ts";

test("THIRD-PARTY-LICENSES.md lists every production dependency. Try: npm run licenses", () => {
  expect(readFileSync(LICENSES_PAGE, "utf8")).toBe(renderLicenses());
});
