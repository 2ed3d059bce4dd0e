// `npm run licenses`: writes THIRD-PARTY-LICENSES.md from package-lock.json and the installed packages.

import { writeFileSync } from "node:fs";
import { LICENSES_PAGE, renderLicenses } from "../tests/repository/third-party-licenses.ts";

writeFileSync(LICENSES_PAGE, renderLicenses());
