import fc from "fast-check";
import { expect, test } from "vitest";
import { isExpirable, isPaymentAllowed, isRenewalCollectable, isVisible } from "./entry-liveness.ts";

const expiresAt = 7_776_000_000_000n;

test.each([
  {
    when: "a microsecond before it expires",
    now: expiresAt - 1n,
    visible: true,
    collectable: true,
    expirable: false,
  },
  { when: "when it expires", now: expiresAt, visible: true, collectable: false, expirable: false },
  { when: "a microsecond later", now: expiresAt + 1n, visible: false, collectable: false, expirable: true },
])("$when an entry is visible $visible, collectable $collectable, expirable $expirable", (row) => {
  expect(isVisible({ expiresAt, now: row.now })).toBe(row.visible);
  expect(isRenewalCollectable({ expiresAt, now: row.now })).toBe(row.collectable);
  expect(isExpirable({ expiresAt, now: row.now })).toBe(row.expirable);
});

test.each([
  { when: "a microsecond before the window", now: 59n, allowed: false },
  { when: "when the window begins", now: 60n, allowed: true },
  { when: "when due", now: 90n, allowed: true },
  { when: "after the due date", now: 1_000n, allowed: true },
])("$when paying is allowed: $allowed", ({ now, allowed }) => {
  expect(isPaymentAllowed({ due: 90n, paymentDuration: 30n, now })).toBe(allowed);
});

test("an entry is either visible or expirable, and whatever can be renewed is visible", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 20n }), fc.bigInt({ min: 0n, max: 20n }), (at, now) => {
      const expiry = { expiresAt: at, now };
      expect(isVisible(expiry)).toBe(!isExpirable(expiry));
      if (isRenewalCollectable(expiry)) expect(isVisible(expiry)).toBe(true);
    }),
  );
});
