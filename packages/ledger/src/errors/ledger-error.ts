/**
 * A failure as plain data: what the pure core returns and what an API turns into a body. Nothing here is
 * shortened or redacted; that is for the API, which knows the reader.
 */
import { type ErrorCode, errorCatalogue } from "./catalogue.ts";
import type { ApiErrorCategory } from "./category.ts";
import type { ResourceType } from "./resource-type.ts";

export interface LedgerError {
  readonly code: ErrorCode;
  readonly cause: string;
  readonly context: Readonly<Record<string, string>>;
  readonly resources: readonly (readonly [ResourceType, string])[];
  readonly category: ApiErrorCategory;
}

export interface LedgerErrorDetails {
  readonly context?: LedgerError["context"];
  readonly resources?: LedgerError["resources"];
}

export interface DamlFailureDetails extends LedgerErrorDetails {
  readonly category: ApiErrorCategory;
}

type LedgerErrorArguments =
  | readonly [code: "DAML_FAILURE", cause: string, details: DamlFailureDetails]
  | readonly [code: Exclude<ErrorCode, "DAML_FAILURE">, cause: string, details?: LedgerErrorDetails];

/**
 * Makes an error of a known code. The catalogue gives the category; only DAML_FAILURE takes it from the
 * caller, and must, because there the failing contract chooses.
 */
export function ledgerError(...[code, cause, details]: LedgerErrorArguments): LedgerError {
  const category = code === "DAML_FAILURE" ? details.category : errorCatalogue[code].category;
  return { code, cause, context: details?.context ?? {}, resources: details?.resources ?? [], category };
}
