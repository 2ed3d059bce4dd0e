/**
 * Terms of the log on PostgreSQL: the server's system, its timeline and a random nonce. Timelines are numbered in hexadecimal. Two
 * servers that were promoted apart from each other may have the same number: neither is later.
 */
export function isLaterTimeline(term: string, than: string): boolean {
  const [system, timeline = ""] = term.split(" ");
  const [otherSystem, otherTimeline = ""] = than.split(" ");
  // A log that was copied to other servers: their timelines begin again.
  if (system !== otherSystem) return true;
  return Number.parseInt(timeline, 16) > Number.parseInt(otherTimeline, 16);
}
