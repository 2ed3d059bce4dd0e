/** `npm run story`: its lines must match the ledger. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
let story = "";
let exitCode: number | null = null;

beforeAll(() => {
  const told = spawnSync(process.execPath, [join(root, "packages/ledger/demo/life-of-a-name.ts")], {
    encoding: "utf8",
    timeout: 120_000,
  });
  story = told.stdout;
  exitCode = told.status;
  expect(told.stderr).toBe("");
});

/** The first line that matches, in words. */
function line(pattern: RegExp): string {
  return story.split("\n").find((text) => pattern.test(text)) ?? `no line matches ${pattern}`;
}

/** The balances that are shown next after a line. */
function balancesAfter(pattern: RegExp): string {
  const lines = story.split("\n");
  const from = lines.findIndex((text) => pattern.test(text));
  return lines.slice(from).find((text) => /alice [\d.]+/.test(text)) ?? `no balances after ${pattern}`;
}

describe("the story of npm run story", () => {
  test("ends with the digests of a second replica", () => {
    expect(exitCode).toBe(0);
    expect(line(/second replica/)).toMatch(/\bsame digest [0-9a-f]{16}/);
    expect(story).not.toContain("WRONG");
  });

  test("names cost a dollar for ninety days, 200 coins at this price", () => {
    expect(line(/costs .* USD/)).toMatch(/1\.0 USD for 90 days/);
    expect(balancesAfter(/accepts the request/)).toMatch(/alice 800\.0 \(.*200\.0 locked\)/);
    expect(balancesAfter(/collected and burned/)).toMatch(/alice 800\.0(?! \()/);
  });

  test("the name is found in both directions once it is live", () => {
    expect(line(/alice\.unverified\.cns → alice::/)).toMatch(/→ alice::1220/);
    expect(line(/alice::1220\S* → /)).toMatch(/→ alice\.unverified\.cns/);
    expect(line(/bob\.unverified\.cns → /)).toMatch(/→ nobody/);
  });

  test("it is renewed from day 60 on and is gone one microsecond after it expires", () => {
    expect(line(/window opens/)).toMatch(/day\s+60 .*pays now/);
    expect(line(/very microsecond it expires/)).toMatch(/→ alice::/);
    expect(line(/One microsecond later/)).toMatch(/→ nobody/);
  });

  test("of two buyers the earlier wins, and the other has every coin back", () => {
    expect(line(/earliest in the log wins/)).toMatch(/→ bob::/);
    const before = /alice ([\d.]+)/.exec(balancesAfter(/tidy up/))?.[1];
    const after = /alice ([\d.]+)/.exec(balancesAfter(/earliest in the log wins/))?.[1];
    expect(after).toBe(before);
  });

  test("a bad name is refunded", () => {
    const bob = (text: string) => /bob ([\d.]+)/.exec(text)?.[1];
    expect(bob(balancesAfter(/reject it and nothing is burned/))).toBe(
      bob(balancesAfter(/earliest in the log wins/)),
    );
    expect(line(/reject it/)).toMatch(/→ nobody/);
  });
});
