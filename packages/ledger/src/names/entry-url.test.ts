import { expect, test } from "vitest";
import { parseEntryUrl } from "./entry-url.ts";

const start = "https://example.com/"; // 20 characters

test.each([
  ["nothing", ""],
  ["an https URI", "https://example.com/~alice?tab=1#top"],
  ["an http URI", "http://example.com"],
  ["capital letters in the scheme", "HTTPS://example.com"],
  ["255 characters", start + "a".repeat(235)],
  ["255 characters outside ASCII", start + "é".repeat(235)],
  ["117 emoji, which count as 234, and one more", `${start}${"😀".repeat(117)}a`],
])("%s is a url", (_what, text) => {
  expect(parseEntryUrl(text)).toEqual({ ok: true, value: text });
});

test.each([
  ["256 characters", start + "a".repeat(236)],
  ["118 emoji, which count as 236", start + "😀".repeat(118)],
])("%s are too long for a url", (_what, text) => {
  expect(parseEntryUrl(text)).toEqual({ ok: false, error: expect.stringContaining("it has 256 characters") });
});

test.each([
  " ",
  "example.com",
  "/path",
  "ftp://example.com",
  "javascript:alert(1)",
  "https://a b",
  "http://",
])("%j is not a url", (text) => {
  expect(parseEntryUrl(text).ok).toBe(false);
});

test("the error says what was given, what is allowed and what to do", () => {
  expect(parseEntryUrl("example.com")).toEqual({
    ok: false,
    error:
      'Url "example.com": it is not an absolute http or https URI. ' +
      "Allowed: nothing, or an absolute http or https URI of at most 255 characters. " +
      "Start it with https:// and percent-encode spaces and other special characters.",
  });
});
