import { expect, test } from "vitest";
import { TokenCache } from "./token-cache.ts";

const verified = {
  subject: "somebody",
  damlUser: null,
  issuer: null,
  audiences: [],
  scopes: [],
  expiresAt: null,
};
const NEVER = Number.POSITIVE_INFINITY;
const NOW = 1_000_000;

function cacheWith(token: string, end = NEVER): TokenCache {
  const cache = new TokenCache();
  expect(cache.find(token, NOW, 1)).toBeUndefined();
  cache.keep(token, verified, { now: NOW, generation: 1, end });
  return cache;
}

test("a verified token is cached for ten seconds", () => {
  const cache = cacheWith("a");
  expect(cache.find("a", NOW + 9999, 1)).toBe(verified);
  expect(cache.find("b", NOW, 1)).toBeUndefined();
  expect(cache.find("a", NOW + 10_000, 1)).toBeUndefined();
});

test("a cached token is not found beyond its own end", () => {
  const cache = cacheWith("a", NOW + 500);
  expect(cache.find("a", NOW + 499, 1)).toBe(verified);
  expect(cache.find("a", NOW + 500, 1)).toBeUndefined();
});

test("a cached token is not found once the keys have changed, also if they changed while it was verified", () => {
  const cache = cacheWith("a");
  expect(cache.find("b", NOW, 2)).toBeUndefined();
  expect(cache.find("a", NOW, 2)).toBeUndefined();
  cache.keep("a", verified, { now: NOW, generation: 1, end: NEVER });
  expect(cache.find("a", NOW, 2)).toBeUndefined();
});

test("the cache holds the last thousand tokens, and no long ones", () => {
  const long = cacheWith("x".repeat(8001));
  expect(long.find("x".repeat(8001), NOW, 1)).toBeUndefined();
  const cache = cacheWith("first");
  for (let i = 0; i < 999; i++) cache.keep(`${i}`, verified, { now: NOW, generation: 1, end: NEVER });
  expect(cache.find("first", NOW, 1)).toBe(verified);
  cache.keep("one more", verified, { now: NOW, generation: 1, end: NEVER });
  expect(cache.find("first", NOW, 1)).toBeUndefined();
  expect(cache.find("one more", NOW, 1)).toBe(verified);
});
