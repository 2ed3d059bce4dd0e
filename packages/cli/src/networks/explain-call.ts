/** The exit code and the sentence of a failed call: the server's own words where it has answered. */
import { findSpliceMessage, HttpError, SchemaViolation, TransportError } from "@callsign/api";
import { plainText } from "@callsign/node";
import { CommandFailure, EXIT } from "../output/exit-code.ts";

export interface ExplainedFailure {
  readonly exitCode: number;
  readonly text: string;
}

const CODES: Readonly<Record<number, number>> = {
  400: EXIT.refused,
  401: EXIT.unauthorized,
  403: EXIT.unauthorized,
  404: EXIT.notFound,
  409: EXIT.refused,
  502: EXIT.unreachable,
  503: EXIT.unreachable,
};

/** Null for an error that nobody has foreseen. */
export function explainCall(error: unknown): ExplainedFailure | null {
  if (error instanceof CommandFailure) return { exitCode: error.exitCode, text: error.message };
  if (error instanceof HttpError) {
    const words = findSpliceMessage(error) ?? error.message;
    return { exitCode: CODES[error.status] ?? EXIT.failed, text: plainText(`${words}${adviseOn(error)}`) };
  }
  if (error instanceof TransportError) {
    const { origin } = new URL(error.site.url);
    return {
      exitCode: EXIT.unreachable,
      text: `${origin} does not answer (${describeTransport(error)}). Does it run? See: callsign status`,
    };
  }
  if (error instanceof SchemaViolation)
    return {
      exitCode: EXIT.failed,
      text: plainText(`${error.message}. Is this address that of the right API?`),
    };
  // The system's own errors name what was tried, and the path.
  return error instanceof Error && "syscall" in error ? { exitCode: EXIT.failed, text: error.message } : null;
}

function adviseOn({ status, site }: HttpError): string {
  if (status !== 401) return "";
  return `. ${new URL(site.url).origin} refuses the token: check --token-file, or --as`;
}

/** The reason alone, without the operation and its address. */
export function describeTransport({ failure, message, site }: TransportError): string {
  if (failure === "timeout") return "no answer in time";
  return message.replace(`${site.operation} at ${site.url}: ${failure}: `, "");
}
