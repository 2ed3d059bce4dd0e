/**
 * The coverage of the seed as data: docs/spec-coverage.yaml. `npm run coverage` renders docs/spec-coverage.md from it.
 * A row names a statement of the seed, its status, the files that implement it and the tests that show it.
 */
import { posix } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

export const STATUSES = ["done", "partly", "open"] as const;

const Row = z.strictObject({
  /** Stable: never reused or renumbered. */
  id: z.string().regex(/^SEED-[A-Z]+-\d{2,}$/, "the id is not like SEED-LIFE-03"),
  /** The seed's statement in a short phrase. */
  seed: z.string().min(1),
  status: z.enum(STATUSES),
  /** Files, as paths from the root of the repository. */
  where: z.array(z.string()).default([]),
  /** Test files; a test's title can follow: `path › title`. */
  test: z.array(z.string()).default([]),
  note: z.string().default(""),
});

const Group = z.strictObject({ section: z.string(), part: z.string().optional(), rows: z.array(Row) });

export type CoverageRow = z.infer<typeof Row>;
export type CoverageGroup = z.infer<typeof Group>;

export function parseCoverage(yaml: string): readonly CoverageGroup[] {
  return z.array(Group).parse(parse(yaml));
}

export function listRows(groups: readonly CoverageGroup[]): readonly CoverageRow[] {
  return groups.flatMap(({ rows }) => rows);
}

export function renderCoverage(groups: readonly CoverageGroup[]): string {
  const rows = listRows(groups);
  const counts = STATUSES.map(
    (status) => `| ${status} | ${rows.filter((row) => row.status === status).length} |`,
  );
  const sections = groups.flatMap((group, place) => [
    ...(groups[place - 1]?.section === group.section ? [] : [`## ${group.section}`, ""]),
    ...(group.part === undefined ? [] : [`### ${group.part}`, ""]),
    "| id | the seed says | status | implemented in | tested in | note |",
    "|---|---|---|---|---|---|",
    ...group.rows.map(renderRow),
    "",
  ]);
  return [...INTRODUCTION, "| status | rows |", "|---|---|", ...counts, "", ...sections].join("\n");
}

const INTRODUCTION = [
  "# Spec coverage",
  "",
  "Every statement of the seed, the specification that Callsign is built to, in the seed's own order. `open` means that",
  "nothing can be relied on yet, `partly` that some of it works, `done` that all of it works and is tested. Ids are stable.",
  "",
  "This page is rendered from [spec-coverage.yaml](spec-coverage.yaml), which also names the single tests: edit that file,",
  "then run `npm run coverage`. `tests/repository/spec-coverage.test.ts` checks both.",
  "",
];

function renderRow({ id, seed, status, where, test, note }: CoverageRow): string {
  const tests = [...new Set(test.map((reference) => parseTestReference(reference).path))];
  const cells = [id, seed, status, where.map(link).join(", "), tests.map(link).join(", "), note];
  return `|${cells.map((cell) => (cell === "" ? " " : ` ${cell.replaceAll("|", "\\|")} `)).join("|")}|`;
}

function link(path: string): string {
  return `[${posix.basename(path)}](../${path})`;
}

/** `path`, or `path › title` with the title of a test, or of its group and then its own. */
export function parseTestReference(reference: string): {
  readonly path: string;
  readonly titles: readonly string[];
} {
  const [path = "", ...titles] = reference.split(" › ");
  return { path, titles };
}
