/** Splice.Fees and Splice.Expiry: fees, amounts that lose value by the round, locks. */
import { list } from "../../../daml/collections.ts";
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record, tuple } from "../../../daml/record.ts";
import { numeric, party, text, time } from "../../../daml/scalars.ts";
import { Round } from "./round-number.ts";

export const RatePerRound = record("RatePerRound", { rate: numeric });
export type RatePerRound = ValueOf<typeof RatePerRound>;

export const FixedFee = record("FixedFee", { fee: numeric });

/** Steps are pairs of an absolute amount and the rate that holds beyond it. */
export const SteppedRate = record("SteppedRate", {
  initialRate: numeric,
  steps: list(tuple(numeric, numeric)),
});

export const ExpiringAmount = record("ExpiringAmount", {
  initialAmount: numeric,
  createdAt: Round,
  ratePerRound: RatePerRound,
});
export type ExpiringAmount = ValueOf<typeof ExpiringAmount>;

export const TimeLock = record("TimeLock", {
  holders: list(party),
  expiresAt: time,
  optContext: optional(text),
});
export type TimeLock = ValueOf<typeof TimeLock>;
