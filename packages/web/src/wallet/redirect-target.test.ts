import { expect, test } from "vitest";
import { decideRedirect } from "./redirect-target.ts";

const LOCAL = "http://wallet.localhost:2000";
const REAL = "https://wallet.validator.example.com";

test.each([
  [LOCAL, "http://ans.localhost:2000/post-payment?entryName=a"],
  [LOCAL, "http://cns.localhost:2000/"],
  ["http://ans.localhost:2000", "http://wallet.localhost:2000/wallet"],
  [REAL, "https://cns.validator.example.com/post-payment?entryName=a"],
])("from %s, %s is the same family", (origin, wanted) => {
  expect(decideRedirect(wanted, origin, [])).toEqual({ kind: "family", href: wanted });
});

test.each([
  ["/my-names", "/my-names"],
  ["http://wallet.localhost:2000/wallet?a=b", "/wallet?a=b"],
])("%j is a path of the page", (wanted, path) => {
  expect(decideRedirect(wanted, LOCAL, [])).toEqual({ kind: "own", path });
});

test.each([
  [LOCAL, "https://evil.example/"],
  [LOCAL, "//evil.example"],
  [LOCAL, "javascript:alert(1)"],
  [LOCAL, "data:text/html,x"],
  [LOCAL, "http://ans.localhost:3000/"],
  [LOCAL, "https://ans.localhost:2000/"],
  [LOCAL, "http://evil.localhost:2000/"],
  [LOCAL, "http://ans.localhost.evil.example:2000/"],
  [LOCAL, "http://wallet.localhost:2000@evil.example/"],
  [LOCAL, "http://user@ans.localhost:2000/"],
  [LOCAL, "http://["],
  [REAL, "https://cns.validator.example.org/"],
  [REAL, "https://cns.validator.example.com.evil.example/"],
  ["https://wallet.co.uk", "https://cns.co.uk/"],
  ["https://wallet.example.com", "https://cns.example.com/"],
])("from %s, %s is refused", (origin, wanted) => {
  expect(decideRedirect(wanted, origin, [])).toEqual({ kind: "refused", text: wanted });
});

test("without a redirect there is nowhere to go", () => {
  expect(decideRedirect(null, LOCAL, [])).toEqual({ kind: "none" });
  expect(decideRedirect("", LOCAL, [])).toEqual({ kind: "none" });
});

test("an origin that the operator has named is followed, and one that only looks like it is not", () => {
  const [origin, named] = ["https://wallet.example.com", ["https://cns.example.com"]];
  const decide = (wanted: string) => decideRedirect(wanted, origin, named).kind;
  expect(decide("https://cns.example.com/post-payment?entryName=a")).toBe("family");
  expect(decide("https://cns.example.com:444/")).toBe("refused");
  expect(decide("http://cns.example.com/")).toBe("refused");
  expect(decide("https://cns.example.com.evil.example/")).toBe("refused");
  expect(decide("https://user@cns.example.com/")).toBe("refused");
  expect(decide("https://ans.example.com/")).toBe("refused");
});
