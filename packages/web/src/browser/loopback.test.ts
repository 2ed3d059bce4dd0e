import { expect, test } from "vitest";
import { isOnLoopback } from "./loopback.ts";

test.each(["http://127.0.0.1:5556", "http://localhost", "http://login.localhost:1", "http://[::1]:9"])(
  "%s is on this machine",
  (address) => {
    expect(isOnLoopback(address)).toBe(true);
  },
);

test.each(["http://localhost.evil.example", "http://127.0.0.1.evil.example", "https://login.example.org"])(
  "%s is not",
  (address) => {
    expect(isOnLoopback(address)).toBe(false);
  },
);
