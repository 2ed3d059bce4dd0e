/** Writes docs/errors.md from the tables of this folder; a test keeps the file equal to what this returns. */
import { type CodeRow, errorAreas, errorCatalogue } from "./catalogue.ts";
import { type CategoryRow, errorCategories, grpcCodes } from "./category.ts";
import { damlFailures } from "./daml-failure.ts";

export function formatErrorDocs(): string {
  const sections = [
    "# Errors",
    "Made from the tables in `packages/ledger/src/errors`. Change those, then run " +
      "`npm test -- packages/ledger/src/errors -u`, which writes this file.",
    "Every error has a code, which never changes its meaning, and a category, which decides how it is " +
      "answered and what to do about it. Branch on the category first and on the code where it matters. " +
      "A redacted error reaches the caller as code `NA` in category -1, with a fixed cause and an empty " +
      "context: the trace id leads the operator to the rest.",
    "## Categories",
    formatCategories(),
    "## What to do",
    formatAdvice(),
    "## HTTP status by gRPC code",
    table(
      ["gRPC code", "Number", "HTTP"],
      Object.entries(grpcCodes).map(([code, { number, httpStatus }]) => [code, `${number}`, `${httpStatus}`]),
    ),
    "## Codes",
    ...Object.entries(errorAreas).flatMap(([area, title]) => [`### ${title}`, formatCodes(area)]),
    "## Failures raised by contracts",
    "All of these have the code `DAML_FAILURE`. The id is the context entry `error_id`, and the metadata " +
      "are further context entries.",
    table(
      ["Id", "Category", "Metadata", "Raised by"],
      Object.entries(damlFailures).map(([id, { category, metadataKeys, raisedBy }]) => [
        code(id),
        `${category}`,
        metadataKeys.map(code).join(", "),
        raisedBy,
      ]),
    ),
  ];
  return `${sections.join("\n\n")}\n`;
}

function formatCategories(): string {
  return table(
    ["#", "Meaning", "gRPC", "HTTP", "`retryInfo`", "Redacted"],
    Object.entries<CategoryRow>(errorCategories).map(([number, row]) => [
      number,
      row.meaning,
      row.grpcCode === null ? "–" : `${row.grpcCode} (${row.grpcNumber})`,
      `${row.httpStatus ?? "–"}`,
      row.retryInfo ?? "–",
      number === "5" || number === "14" ? "by code" : row.redacted ? "yes" : "no",
    ]),
  );
}

function formatAdvice(): string {
  return table(
    ["#", "Stance", "Advice"],
    Object.entries<CategoryRow>(errorCategories).map(([number, row]) => [
      number,
      row.stance ?? "–",
      row.advice,
    ]),
  );
}

function formatCodes(area: string): string {
  const rows = Object.entries<CodeRow>(errorCatalogue).filter(([, row]) => row.area === area);
  return table(
    ["Code", "Category", "Notes"],
    rows.map(([id, row]) => [
      code(id),
      row.category === "by-contract" ? "chosen by the contract" : `${row.category}`,
      formatNotes(row),
    ]),
  );
}

function formatNotes(row: CodeRow): string {
  const notes: string[] = [];
  if (row.contextKey !== undefined) notes.push(`context ${code(row.contextKey)}`);
  if (row.httpStatus !== undefined) notes.push(`HTTP ${row.httpStatus}`);
  if (row.streamsOnly) notes.push("streams only");
  if ("redacted" in row) notes.push(row.redacted ? "redacted" : "not redacted");
  if (row.since !== undefined) notes.push(`since ${row.since}`);
  return notes.join("; ");
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, header.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
