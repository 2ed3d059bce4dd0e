// Vitest runs this before each test file: properties draw from the seed of the run.

import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { seed } from "./seed.ts";

const file = expect.getState().testPath;

// Loading fast-check takes 80 ms, and nine files of ten have no property.
if (file !== undefined && readFileSync(file, "utf8").includes('from "fast-check"')) {
  const { configureGlobal } = await import("fast-check");
  configureGlobal({ seed });
}
