/**
 * The allocation that a leg of an application's request asks for. The application compares it with its request, so times keep
 * their microseconds and metadata are repeated.
 */
import type { AllocateAmuletRequest } from "@callsign/api";
import { entriesAt, textAt } from "../register/payload-fields.ts";

const COIN_INSTRUMENT = "Amulet";

/** False for a leg in another token than the network's coin, which other wallets allocate. */
export function isLegOfCoin(leg: unknown, dso: string): boolean {
  const instrument = [textAt(leg, "instrumentId", "admin"), textAt(leg, "instrumentId", "id")];
  return instrument[0] === dso && instrument[1] === COIN_INSTRUMENT;
}

export function toAskedAllocation(settlement: unknown, legId: string, leg: unknown): AllocateAmuletRequest {
  const cid = textAt(settlement, "settlementRef", "cid");
  return {
    settlement: {
      executor: textAt(settlement, "executor"),
      settlement_ref: { id: textAt(settlement, "settlementRef", "id"), cid: cid === "" ? null : cid },
      requested_at: toMicroseconds(textAt(settlement, "requestedAt")),
      allocate_before: toMicroseconds(textAt(settlement, "allocateBefore")),
      settle_before: toMicroseconds(textAt(settlement, "settleBefore")),
      meta: readMeta(settlement),
    },
    transfer_leg_id: legId,
    transfer_leg: {
      receiver: textAt(leg, "receiver"),
      amount: textAt(leg, "amount"),
      meta: readMeta(leg),
    },
  };
}

/** Microseconds since 1970 of a time such as `2026-01-31T12:00:00.123456Z`, all six digits of its fraction kept. */
export function toMicroseconds(time: string): number {
  const [, seconds = time, fraction = ""] = /^([^.]*)\.(\d{1,6})\d*Z$/.exec(time) ?? [];
  const whole = seconds.endsWith("Z") ? seconds : `${seconds}Z`;
  return new Date(whole).getTime() * 1000 + Number(fraction.padEnd(6, "0"));
}

function readMeta(payload: unknown): Record<string, string> {
  return Object.fromEntries(
    entriesAt(payload, "meta", "values").map(([key, value]) => [key, String(value)] as const),
  );
}
