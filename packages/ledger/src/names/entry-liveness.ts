// The four time relations of an entry and its subscription. All times are microseconds since the epoch, and
// `now` is the record time of the last applied log entry: these functions read no clock.

export type Expiry = { readonly expiresAt: bigint; readonly now: bigint };

/** Lookups show an entry up to and including the microsecond at which it expires. */
export function isVisible({ expiresAt, now }: Expiry): boolean {
  return expiresAt >= now;
}

/** An entry or an idle subscription may be expired once its time lies in the past: never while it is visible. */
export function isExpirable({ expiresAt, now }: Expiry): boolean {
  return expiresAt < now;
}

/** A renewal must be collected before the entry expires; at that very microsecond it is too late. */
export function isRenewalCollectable({ expiresAt, now }: Expiry): boolean {
  return now < expiresAt;
}

export type PaymentWindow = {
  readonly due: bigint;
  /** The time before the due date from which paying is allowed: `paymentDuration` of the subscription. */
  readonly paymentDuration: bigint;
  readonly now: bigint;
};

/** The ledger lets a subscription be paid from this long before its due date, and sets no end to it. */
export function isPaymentAllowed({ due, paymentDuration, now }: PaymentWindow): boolean {
  return now + paymentDuration >= due;
}
