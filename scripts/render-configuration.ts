// `npm run configuration`: renders the tables of docs/configuration.md about an operator's node.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderOperatorTables } from "../tests/repository/operator-tables.ts";

const path = join(import.meta.dirname, "../docs/configuration.md");
writeFileSync(path, renderOperatorTables(readFileSync(path, "utf8")));
