import { expect, test } from "vitest";
import { isLoopback } from "./local-caller.ts";

test.each([
  "localhost",
  "LOCALHOST:80",
  "scan.localhost:4000",
  "127.0.0.1",
  "127.1.2.3:80",
  "::1",
  "[::1]",
  "[::1]:80",
])("%s is this machine", (host) => expect(isLoopback(host)).toBe(true));

test.each([
  "example.com",
  "localhost.example.com:80",
  "10.0.0.1",
  "::2",
  "[::2]:1",
  "fe80::1",
  "1.127.0.0.1",
  "",
])("%s is not", (host) => expect(isLoopback(host)).toBe(false));
