/** A mistake in the configuration. Values of secrets never stand in one. */
import { hideCredentials } from "@callsign/api";
import { formatOrigin, type ValueOrigin } from "./origin.ts";

export interface Finding {
  /** The key, HOCON path, variable or file that is wrong. */
  readonly key: string;
  /** The value, as given; omitted if there is none or it may be a secret. */
  readonly value?: string;
  readonly problem: string;
  /** The remedy, in the imperative or as a question, without a full stop. */
  readonly fix: string;
  readonly origin?: ValueOrigin;
}

const SHOWN_CHARACTERS = 200;

/** `migration.id: "x" is no whole number. Give …. (validator.yaml:3:7)` */
export function formatFinding(finding: Finding): string {
  const { key, fix, origin } = finding;
  const from = origin === undefined ? "" : ` (${formatOrigin(origin)})`;
  return `${key}: ${formatProblem(finding)}. ${endSentence(fix)}${from}`;
}

/** The problem after the beginning of the value. */
export function formatProblem({ value, problem }: Finding): string {
  if (value === undefined) return problem;
  const told = hideCredentials(value);
  const shown = told.length > SHOWN_CHARACTERS ? `${told.slice(0, SHOWN_CHARACTERS)}…` : told;
  return `${JSON.stringify(shown)} ${problem}`;
}

/** With its full stop, unless it is a question. */
export function endSentence(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`;
}

/** Thrown by parsers of the configuration for text that they cannot read. */
export class ConfigFault extends Error {
  override readonly name = "ConfigFault";
  readonly finding: Finding;

  constructor(finding: Finding, options?: ErrorOptions) {
    super(formatFinding(finding), options);
    this.finding = finding;
  }
}
