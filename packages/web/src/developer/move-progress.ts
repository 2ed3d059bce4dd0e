/** The part of a move's way that lies behind it, from 0 to 1. */
export function progressOf(
  time: string,
  { from, to }: { readonly from: string; readonly to: string },
): number {
  const [now, begin, end] = [Date.parse(time), Date.parse(from), Date.parse(to)];
  if (!(end > begin)) return 1;
  return Math.min(1, Math.max(0, (now - begin) / (end - begin)));
}
