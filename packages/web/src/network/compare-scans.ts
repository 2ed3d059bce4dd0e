/**
 * The answers of several scans to one question. Equal answers of more scans than may be faulty, a third of all at most, settle
 * what is true, unless as many say something else. A scan with another answer contradicts them, unless it is behind them.
 */

export type ScanVerdict = "agrees" | "behind" | "differs" | "undecided" | "silent";

export interface ScanAnswer {
  /** The record time that the answer stands at. */
  readonly recordTime: string;
  readonly text: string;
}

export interface ComparedScan {
  readonly verdict: ScanVerdict;
  /** Milliseconds between the newest record time of the scans that agree and this scan's; null where either is unknown. */
  readonly lag: number | null;
}

export interface ComparedScans {
  /** By the SV's name. */
  readonly bySv: Readonly<Record<string, ComparedScan>>;
  /** The scan behind the page. */
  readonly own: ComparedScan;
}

/** The page's own scan is compared with the others, and settles nothing: it is one of them already. */
export function compareScans(
  answers: Readonly<Record<string, ScanAnswer | null>>,
  own: ScanAnswer | null,
): ComparedScans {
  const group = findAgreeing(Object.values(answers));
  const compared = Object.entries(answers).map(([sv, answer]) => [sv, compareWith(group, answer)]);
  return { bySv: Object.fromEntries(compared), own: compareWith(group, own) };
}

function compareWith(group: readonly ScanAnswer[], answer: ScanAnswer | null): ComparedScan {
  if (answer === null) return { verdict: "silent", lag: null };
  const [first] = group;
  if (first === undefined) return { verdict: "undecided", lag: null };
  const times = group.map(timeOf);
  const lag = Math.max(0, Math.max(...times) - timeOf(answer));
  if (answer.text === first.text) return { verdict: "agrees", lag };
  return { verdict: timeOf(answer) < Math.min(...times) ? "behind" : "differs", lag };
}

/** The largest group of equal answers; empty if it is too small, or has a rival of its size. */
function findAgreeing(answers: readonly (ScanAnswer | null)[]): readonly ScanAnswer[] {
  const faulty = Math.floor((answers.length - 1) / 3);
  const given = answers.filter((answer) => answer !== null);
  const groups = [...Map.groupBy(given, ({ text }) => text).values()];
  const [first = [], second = []] = groups.sort((a, b) => b.length - a.length);
  return first.length > Math.max(faulty, 1) && first.length > second.length ? first : [];
}

function timeOf({ recordTime }: ScanAnswer): number {
  return Date.parse(recordTime);
}
