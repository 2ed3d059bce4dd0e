// `npm run coverage`: renders docs/spec-coverage.md from docs/spec-coverage.yaml.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseCoverage, renderCoverage } from "../tests/repository/spec-coverage.ts";

const docs = join(import.meta.dirname, "../docs");
const groups = parseCoverage(readFileSync(join(docs, "spec-coverage.yaml"), "utf8"));
writeFileSync(join(docs, "spec-coverage.md"), renderCoverage(groups));
