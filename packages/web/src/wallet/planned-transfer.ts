/**
 * A transfer that the user is about to confirm. Its id and its expiry are chosen once, so that pressing the button again after a
 * lost answer repeats the very same request, which pays once.
 */
import { makeId } from "../browser/page-host.ts";
import { readNetworkClock } from "../calls/network-clock.ts";
import type { FoundReceiver } from "./receiver-field.tsx";

/** `at-once` needs a preapproval of the receiver; `token` locks the coin until it is accepted; `offer` takes it then. */
export type TransferWay = "at-once" | "token" | "offer";

export interface PlannedTransfer {
  readonly id: string;
  readonly receiver: FoundReceiver;
  readonly way: TransferWay;
  readonly amount: string;
  readonly description: string;
  /** Microseconds since 1970. */
  readonly expiresAt: number;
}

const DAY_MILLISECONDS = 86_400_000;

export function planTransfer(given: {
  readonly receiver: FoundReceiver;
  readonly way: TransferWay;
  readonly amount: string;
  readonly description: string;
  readonly days: number;
}): PlannedTransfer {
  const { days, ...rest } = given;
  return { ...rest, id: makeId(), expiresAt: (readNetworkClock() + days * DAY_MILLISECONDS) * 1000 };
}

/** The ways that fit: the first is the best. */
export function listWays(has: {
  readonly preapproval: boolean;
  readonly tokenStandard: boolean;
}): readonly TransferWay[] {
  const ways: TransferWay[] = [];
  if (has.preapproval) ways.push("at-once");
  if (has.tokenStandard && !has.preapproval) ways.push("token");
  ways.push("offer");
  return ways;
}
