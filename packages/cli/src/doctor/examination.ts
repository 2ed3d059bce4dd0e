/** One result of the doctor: the thing, its state, and the remedy if something is wrong with it. */
import { type Host, TlsFilesRejected, withDeadline } from "@callsign/node";
import { endSentence, type Finding, formatProblem } from "../values/finding.ts";
import { formatOrigin } from "../values/origin.ts";
import { EXAMINATION_MILLISECONDS } from "./limits.ts";

export interface Examination {
  readonly what: string;
  readonly isFine: boolean;
  readonly said: string;
  /** In the imperative; omitted if nothing is wrong. */
  readonly fix?: string;
  /** Of a server's clock that differs from this machine's; positive if it is ahead. */
  readonly skewSeconds?: number;
}

export function fine(what: string, said: string): Examination {
  return { what, isFine: true, said };
}

export function fault(what: string, said: string, fix: string): Examination {
  return { what, isFine: false, said, fix };
}

/** A mistake that the configuration alone shows. */
export function faultOf(finding: Finding): Examination {
  const { key, fix, origin } = finding;
  const what = origin === undefined ? key : `${key} (${formatOrigin(origin)})`;
  return fault(what, formatProblem(finding), fix);
}

export interface ExaminedThing {
  readonly what: string;
  /** The remedy where the examination itself fails. */
  readonly fix: string;
  readonly host: Host;
}

/** A look that throws, or takes too long, is a fault. */
export async function examine(
  { what, fix, host }: ExaminedThing,
  look: () => Promise<readonly Examination[]>,
): Promise<readonly Examination[]> {
  try {
    return await withDeadline(look(), EXAMINATION_MILLISECONDS, host.timers);
  } catch (error) {
    return [fault(what, error instanceof Error ? error.message : String(error), remedyOf(error) ?? fix)];
  }
}

const TRUST =
  "Have the server show a certificate of an authority that this machine trusts, or name the authority: for the " +
  "participant in callsign.participantTls.trustCollectionFile, for all others in the environment variable NODE_EXTRA_CA_CERTS";

/** The remedy of a failed connection whose cause is plain. */
function remedyOf(error: unknown): string | undefined {
  if (error instanceof TlsFilesRejected) return "Give other files, or renew these";
  if (
    !(error instanceof Error) ||
    !/certificate of .* (?:is not trusted|is for other names)|has expired/.test(error.message)
  )
    return undefined;
  return error.message.includes("is not trusted")
    ? TRUST
    : "Ask the server's operator for a certificate that is valid and has this name";
}

/** `ok     scan https://…: …` */
export function formatExamination({ what, isFine, said, fix }: Examination): string {
  const remedy = fix === undefined ? "" : `\n       ${endSentence(fix)}`;
  return `${isFine ? "ok    " : "FAULT "} ${what}: ${said.replaceAll("\n", "; ")}${remedy}\n`;
}
