import { time } from "@callsign/ledger";
import { expect, test } from "vitest";
import { LookupCache } from "./lookup-cache.ts";
import { foundName } from "./name-entry.ts";

const expiresAt = time("2026-01-01T00:00:00Z");
const from = time("2025-01-01T00:00:00Z");
const entry = (json: string) => ({ found: foundName(json, expiresAt), from, expiresAt });

test("never holds more than its capacity", () => {
  const cache = new LookupCache(10);
  for (let i = 0; i < 1000; i++) {
    cache.add(`name ${i}`, entry(`${i}`));
    cache.find(`name ${Math.floor(i / 2)}`);
    expect(cache.size).toBeLessThanOrEqual(10);
  }
});

test("keeps what is asked for again and again, however much passes by", () => {
  const cache = new LookupCache(10);
  cache.add("popular", entry("1"));
  for (let i = 0; i < 1000; i++) {
    cache.add(`name ${i}`, entry(`${i}`));
    expect(cache.find("popular")).toEqual(entry("1"));
  }
  expect(cache.find("name 0")).toBeUndefined();
});

test("forgets a name wherever it stands", () => {
  const cache = new LookupCache(4);
  for (const name of ["a", "b", "c"]) cache.add(name, entry(name));
  cache.find("a");
  for (const name of ["a", "b", "c"]) {
    cache.forget(name);
    expect(cache.find(name)).toBeUndefined();
  }
});

test("without room for two, nothing is kept", () => {
  const cache = new LookupCache(1);
  cache.add("a", entry("a"));
  expect(cache.find("a")).toBeUndefined();
  expect(cache.size).toBe(0);
});
