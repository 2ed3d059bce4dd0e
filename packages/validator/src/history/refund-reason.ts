/**
 * The reason why a payment for a name was given back, from the sender's view alone. SVs check a payment in a fixed order: its
 * round is open, the content is valid, the name is free (`decideInitialPayments`). They reject it in its own round while that is
 * open, and in a later one afterwards, so a valid payment that was rejected in its own round was for a name that somebody
 * else held or had paid for earlier.
 */
import type { RefundReason } from "@callsign/api";
import { completeName, parseEntryDescription, parseEntryUrl } from "@callsign/ledger";
import type { RequestedName } from "./known-contracts.ts";

export function decideRejectionReason(
  { name, url, description }: RequestedName,
  rounds: { readonly paidIn: bigint; readonly rejectedIn: bigint },
  acronym: string,
): RefundReason {
  if (rounds.paidIn !== rounds.rejectedIn) return "too_late";
  const completed = completeName(name, acronym);
  if (!completed.ok || completed.value !== name) return "invalid_name";
  if (!parseEntryUrl(url).ok) return "invalid_url";
  return parseEntryDescription(description).ok ? "lost_race" : "invalid_description";
}
