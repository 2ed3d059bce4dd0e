/** Changes of names as answers show them. */
import type { NameChange as WireNameChange } from "@callsign/api";
import { type Decimal, formatDecimal, formatTime } from "@callsign/ledger";
import type { KeptNameChange } from "../rows/name-change-rows.ts";
import type { ScanIndex } from "../rows/scan-index.ts";

export function showNameChange(change: KeptNameChange): WireNameChange {
  const { place, recordTime, kind, name, owner, expiresAt, usd, amulet } = change;
  return {
    offset: `${place}`,
    record_time: formatTime(recordTime),
    kind,
    name,
    owner,
    expires_at: expiresAt === null ? null : formatTime(expiresAt),
    usd: showAmount(usd),
    amulet: showAmount(amulet),
  };
}

/** The record time from which on all changes are kept; null before the first entry. */
export function showCompleteFrom({ nameChanges }: ScanIndex): string | null {
  const time = nameChanges.findCompleteFrom();
  return time === undefined ? null : formatTime(time);
}

function showAmount(amount: Decimal | null): string | null {
  return amount === null ? null : formatDecimal(amount);
}
