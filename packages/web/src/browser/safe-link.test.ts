import { expect, test } from "vitest";
import { findSafeLink } from "./safe-link.ts";

test.each([
  ["https://example.org", "https://example.org/"],
  [" http://example.org/a?b=c#d ", "http://example.org/a?b=c#d"],
  ["HTTPS://Example.org", "https://example.org/"],
])("%j is a link", (text, href) => {
  expect(findSafeLink(text)).toBe(href);
});

test.each([
  "",
  "example.org",
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  "java\nscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "file:///etc/passwd",
  "//evil.example",
  "https:evil.example",
  "https://bank.example@evil.example",
  "https://user:secret@evil.example",
  "https://",
  "<script>alert(1)</script>",
])("%j stays text", (text) => {
  expect(findSafeLink(text)).toBeNull();
});
