import { parsePartyId } from "@callsign/ledger";
import { z } from "zod";

/** A party id in a path, refused with Splice's words. */
export const partyParameter = z
  .string()
  .superRefine((given, context) => {
    const problem = findPartyProblem(given);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  })
  .meta({ examples: ["alice::1220…"] });

/** Undefined for a party id. */
export function findPartyProblem(given: string): string | undefined {
  if (parsePartyId(given).ok) return undefined;
  const separator = given.indexOf("::");
  if (separator < 0) return `Invalid unique identifier \`${given}\` with missing namespace.`;
  if (separator === 0) return `Invalid unique identifier \`${given}\` with empty identifier.`;
  const [identifier, fingerprint] = [given.slice(0, separator), given.slice(separator + 2)];
  const allowed = "letters, digits, ':', '-', '_' and spaces";
  if (!parsePartyId(`${identifier}::x`).ok) {
    return `Identifier decoding of \`${identifier}\` failed with: it takes 1 to 185 ${allowed}`;
  }
  return `Fingerprint decoding of \`${fingerprint}\` failed with: it takes 1 to 68 ${allowed}`;
}
