import { defineConfig } from "vitest/config";

/** `npm run test:long` runs the long tests alone; every other run leaves them out. */
const long = process.env["CALLSIGN_LONG"] === "1";
const longTests = ["tests/long/**/*.test.ts", "{packages,tests}/**/*.long.test.ts"];

export default defineConfig({
  cacheDir: ".cache/vitest",
  test: {
    include: long ? longTests : ["packages/**/*.test.ts", "tests/**/*.test.ts"],
    exclude: ["**/node_modules/**", ...(long ? [] : longTests)],
    testTimeout: long ? 30 * 60_000 : 30_000,
  },
});
