/** What the doctor found out about one thing, and the remedy if something is wrong with it. */
import { type Host, withDeadline } from "@callsign/node";
import { EXAMINATION_MILLISECONDS } from "./limits.ts";

export interface Examination {
  readonly what: string;
  readonly isFine: boolean;
  readonly said: string;
  /** In the imperative; omitted if nothing is wrong. */
  readonly fix?: string;
}

export function fine(what: string, said: string): Examination {
  return { what, isFine: true, said };
}

export function fault(what: string, said: string, fix: string): Examination {
  return { what, isFine: false, said, fix };
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
    return [fault(what, error instanceof Error ? error.message : String(error), fix)];
  }
}

/** `ok     scan https://…: …` */
export function formatExamination({ what, isFine, said, fix }: Examination): string {
  const remedy = fix === undefined ? "" : `\n       ${fix}.`;
  return `${isFine ? "ok    " : "FAULT "} ${what}: ${said}${remedy}\n`;
}
