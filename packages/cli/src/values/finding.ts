/** A mistake in the configuration. Values of secrets never stand in one. */
import { formatOrigin, type ValueOrigin } from "./origin.ts";

export interface Finding {
  /** The key, HOCON path, variable or file that is wrong. */
  readonly key: string;
  /** The value, as given; omitted if there is none or it may be a secret. */
  readonly value?: string;
  readonly problem: string;
  /** The remedy, in the imperative. */
  readonly fix: string;
  readonly origin?: ValueOrigin;
}

const SHOWN_CHARACTERS = 200;

/** `migration.id: "x" is no whole number. Give …. (validator.yaml:3:7)` */
export function formatFinding({ key, value, problem, fix, origin }: Finding): string {
  const shown = value === undefined ? "" : ` ${shorten(value)}`;
  const from = origin === undefined ? "" : ` (${formatOrigin(origin)})`;
  return `${key}:${shown} ${problem}. ${fix}.${from}`;
}

function shorten(value: string): string {
  return JSON.stringify(value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}…` : value);
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
