import { type CodeRow, errorCatalogue } from "./catalogue.ts";
import { errorCategories, type GrpcCode } from "./category.ts";
import type { LedgerError } from "./ledger-error.ts";

/** An error's form on the wire: status, gRPC code, retry, redaction. */
export interface WireStatus {
  readonly grpcCode: GrpcCode;
  readonly grpcNumber: number;
  readonly httpStatus: number;
  readonly retryInfo: string | null;
  readonly redacted: boolean;
}

/** The category decides, except where the code's own row sets another HTTP status or another redaction. */
export function wireStatusOf(error: Pick<LedgerError, "code" | "category">): WireStatus {
  const row: CodeRow = errorCatalogue[error.code];
  const { grpcCode, grpcNumber, httpStatus, retryInfo, redacted } = errorCategories[error.category];
  return {
    grpcCode,
    grpcNumber,
    httpStatus: row.httpStatus ?? httpStatus,
    retryInfo,
    redacted: "redacted" in row ? row.redacted : redacted,
  };
}
