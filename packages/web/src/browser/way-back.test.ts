import { expect, test } from "vitest";
import { safeWayBack } from "./way-back.ts";

const ORIGIN = "https://wallet.example.org";

test.each([
  ["/wallet", "/wallet"],
  ["/post-payment?entryName=a.unverified.cns#end", "/post-payment?entryName=a.unverified.cns#end"],
  ["https://wallet.example.org/names/a", "/names/a"],
  ["names", "/names"],
])("%j leads to %j", (wanted, path) => {
  expect(safeWayBack(wanted, ORIGIN)).toBe(path);
});

test.each([
  null,
  "",
  "https://evil.example/wallet",
  "//evil.example",
  "\\\\evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "https:/\\evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "http://wallet.example.org/wallet",
  "https://wallet.example.org:8443/wallet",
  "https://wallet.example.org@evil.example/",
  "https://user@wallet.example.org/",
  "http://[",
])("%j leads to the first page", (wanted) => {
  expect(safeWayBack(wanted, ORIGIN)).toBe("/");
});

test("a path that looks like another host stays on this one", () => {
  const path = safeWayBack("https://wallet.example.org//evil.example/a", ORIGIN);
  expect(new URL(path, ORIGIN).origin).toBe(ORIGIN);
});
