import { defineConfig } from "vitest/config";

/** `npm run test:long` runs these, and `npm test` leaves them out. */
const longTests = ["tests/long/**/*.test.ts", "{packages,tests}/**/*.long.test.ts"];

const long = process.env["CALLSIGN_LONG"] === "1";

export default defineConfig({
  cacheDir: ".cache/vitest",
  test: {
    globalSetup: ["tests/support/shared-services.ts"],
    setupFiles: ["tests/support/property-seed.ts"],
    include: long ? longTests : ["packages/**/*.test.ts", "tests/**/*.test.ts"],
    exclude: ["**/node_modules/**", ...(long ? [] : longTests)],
    // Timeouts catch hangs, not slow machines: whole networks start in tests and hooks, beside other work.
    testTimeout: long ? 30 * 60_000 : 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Many tests wait for a network more than they work: two cores can do with two files at a time.
    ...(long ? {} : { maxWorkers: 2 }),
  },
});
