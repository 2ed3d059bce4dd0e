import { defineConfig } from "vitest/config";

/** `npm run test:long` runs these, and `npm test` leaves them out. */
const longTests = ["tests/long/**/*.test.ts", "{packages,tests}/**/*.long.test.ts"];

/** The suites of roles whose store may be on PostgreSQL: `npm run test:long` runs them there as well. */
const postgresSuites = ["tests/{participant,conformance,validator}/**/*.test.ts"];
/** They open the files of SQLite, whatever store is chosen. */
const sqliteTests = [
  "tests/participant/{pruning-store,read-index,identity,submission-notes,large-pages,migration}.test.ts",
  "tests/conformance/{party-updates,provider-takeover}.test.ts",
  "tests/validator/{crash-points,earlier-folder,operator-settings,migration}.test.ts",
];

const long = process.env["CALLSIGN_LONG"] === "1";
/** Pictures are taken for people to look at: `CALLSIGN_SCREENSHOTS=1 npm run test:long -- tests/web/screenshots`. */
const pictures = process.env["CALLSIGN_SCREENSHOTS"] === "1" ? [] : ["tests/web/screenshots.long.test.ts"];
const outside = ["**/node_modules/**", ...pictures];

export default defineConfig({
  cacheDir: ".cache/vitest",
  test: {
    globalSetup: ["tests/support/shared-services.ts"],
    setupFiles: ["tests/support/property-seed.ts"],
    // Timeouts catch hangs, not slow machines: whole networks start in tests and hooks, beside other work.
    testTimeout: long ? 30 * 60_000 : 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Many tests wait for a network more than they work: two cores can do with three files at a time.
    maxWorkers: 3,
    // The files of a worker share its modules: to load them for each anew took a third of a run. A module of test
    // support must not end what it holds after a file.
    isolate: false,
    ...(long
      ? {
          projects: [
            { extends: true, test: { name: "long", include: longTests, exclude: outside, isolate: true } },
            {
              extends: true,
              test: {
                name: "postgres",
                include: postgresSuites,
                exclude: [...outside, ...longTests, ...sqliteTests],
                env: { CALLSIGN_STORE: "postgres" },
              },
            },
          ],
        }
      : {
          include: ["packages/**/*.test.ts", "tests/**/*.test.ts"],
          exclude: [...outside, ...longTests],
        }),
  },
});
