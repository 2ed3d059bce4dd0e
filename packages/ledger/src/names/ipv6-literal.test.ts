import { expect, test } from "vitest";
import { isIpv6Literal } from "./ipv6-literal.ts";

// Every expectation in this file is what java.net.URI (JDK 17) answers to the literal as `http://[…]`.

test.each([
  "::1",
  "::",
  "1:2:3:4:5:6:7:8",
  "1:2:3:4:5:6:7::",
  "::2:3:4:5:6:7:8",
  "ABCD:ef01::",
  "::ffff:1.2.3.4",
  "1:2:3:4:5:6:1.2.3.4",
  "::01.2.003.0004",
  "fe80::1%eth_0.1",
  "fe80::1%25eth0",
  "1::255.255.255.255",
  "1:2:3:4:5::1.2.3.4",
])("%s is an IPv6 literal", (text) => {
  expect(isIpv6Literal(text)).toBe(true);
});

test.each([
  "",
  "1",
  ":",
  ":::",
  "1:",
  ":1",
  "1::2::3",
  "12345::",
  "::g",
  "1:2:3:4:5:6:7",
  "1:2:3:4:5:6:7:8:9",
  "1:2:3:4:5:6:7:8::",
  "::1:2:3:4:5:6:7:8",
  "1.2.3.4",
  "1.2.3.4::",
  "::1.2.3.4:5",
  "::1.2.3",
  "::1.2.3.4.5",
  "::1.2.3.256",
  "1:2:3:4:5:6:7:1.2.3.4",
  "::1%",
  "::1%é",
  "::1%a-b",
  "::1%a%b",
  "v1.a",
  "1:2:3:4:5:6::1.2.3.4",
  " ::1",
  "::1\n",
  "::-1",
  "%eth0",
])("%j is not an IPv6 literal", (text) => {
  expect(isIpv6Literal(text)).toBe(false);
});
