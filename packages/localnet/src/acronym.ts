/** The acronym that names end in, such as `cns` in `alice.unverified.cns`: chosen at the founding and kept for ever. */
import type { Network } from "@callsign/ledger";

/** The founding refuses acronyms that leave no room for a name, and stays in the log for good: checked before it. */
const ACRONYM = /^[a-z0-9](?:[a-z0-9-]{0,18}[a-z0-9])?$/i;

export class AcronymRefused extends Error {
  override readonly name = "AcronymRefused";
}

/** The acronym in lower case, in which it counts. */
export function checkAcronym(given: string): string {
  if (ACRONYM.test(given)) return given.toLowerCase();
  throw new AcronymRefused(
    `"${given}" cannot end a name. Allowed: 1 to 20 letters of a-z, digits and hyphens between them, such as ans`,
  );
}

/** Throws if the network was founded with another acronym. */
export function checkFoundedWith(acronym: string, { acronym: founded }: Network, dataFolder: string): void {
  if (founded.toLowerCase() === acronym.toLowerCase()) return;
  throw new AcronymRefused(
    `the network in ${dataFolder} was founded with the acronym ${founded} and keeps it: its names end in ` +
      `.unverified.${founded.toLowerCase()}. Start it without --acronym, or found another network: give a new ` +
      "folder with --data, or forget this one with --fresh",
  );
}
