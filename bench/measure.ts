/** Shared by the benchmarks: samples taken in turns, medians, and a table or one JSON object at the end. */

export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The bare minimum the same work could take, in the same unit and the same run. */
  readonly floor?: number;
  readonly target?: string;
  readonly met?: boolean;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** The value below or at which that share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Seconds that the work takes by the wall clock. */
export function seconds(work: () => void): number {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start) / 1e9;
}

/**
 * Seconds of processor time that the work takes, all threads of this process together. Where other programs share
 * the cores, wall time says more about them than about the work.
 */
export function cpuSeconds(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/** Prints what was measured. A target that was missed shows in the exit code, too. */
export function report(name: string, rows: readonly Row[], notes: readonly string[]): void {
  if (rows.some(({ met }) => met === false)) process.exitCode = 2;
  if (process.argv.includes("--json")) {
    console.log(JSON.stringify({ benchmark: name, node: process.version, rows: rows.map(shown), notes }));
    return;
  }
  const lines = rows.map(({ what, value, unit, floor, target, met }) => [
    what,
    `${format(value)} ${unit}`,
    floor === undefined ? "" : `${format(floor)} ${unit}`,
    floor === undefined ? "" : (value / floor).toFixed(2),
    target === undefined ? "" : `${target} ${met ? "met" : "MISSED"}`,
  ]);
  const table = [["", "measured", "floor", "ratio", "target"], ...lines];
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0))) ?? [];
  for (const line of table)
    console.log(
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  for (const note of notes) console.log(`\n${note}`);
}

/** A row of the JSON object. Every row has every field: null for one that does not apply to it. */
function shown({ what, value, unit, floor, target, met }: Row) {
  const ratio = floor === undefined ? null : value / floor;
  return {
    ...{ what, unit, measured: value, floor: floor ?? null, ratio },
    ...{ target: target ?? null, met: met ?? null },
  };
}

/** The number of an option such as `--names=1000000`, or the default. */
export function numberOption(option: string, usual: number): number {
  const given = process.argv.find((argument) => argument.startsWith(`${option}=`));
  if (given === undefined) return usual;
  const number = Number(given.slice(option.length + 1));
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`${option} takes a whole number above 0, such as ${option}=${usual}: ${given}`);
}

/** A part of a benchmark, which `npm run bench -- <name> <section>` runs alone. */
export interface Section {
  readonly rows: readonly Row[];
  readonly note: string;
}

/** Runs the sections that the command names, or all of them, and reports their rows. */
export async function runSections(
  name: string,
  sections: Readonly<Record<string, () => Promise<Section>>>,
): Promise<void> {
  const chosen = process.argv.slice(3).filter((argument) => !argument.startsWith("--"));
  const unknown = chosen.filter((section) => sections[section] === undefined);
  if (unknown.length > 0)
    throw new Error(
      `no section is called ${unknown.join(", ")}; sections: ${Object.keys(sections).join(", ")}`,
    );
  const done: Section[] = [];
  for (const [section, measure] of Object.entries(sections))
    if (chosen.length === 0 || chosen.includes(section)) done.push(await measure());
  report(
    name,
    done.flatMap(({ rows }) => rows),
    done.map(({ note }) => note),
  );
}

function format(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toPrecision(3);
}
