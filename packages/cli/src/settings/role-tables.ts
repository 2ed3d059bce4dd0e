/** The roles that are configured: their keys, and how their setups are read. */
import type { KeyTable } from "../keys/key.ts";
import { PARTICIPANT_KEYS } from "../keys/participant-keys.ts";
import { SV_KEYS } from "../keys/sv-keys.ts";
import { VALIDATOR_KEYS } from "../keys/validator-keys.ts";
import type { ReadParts, SetupOutcome } from "./config-source.ts";
import { readParticipantSetup } from "./read-participant-setup.ts";
import { readSvSetup } from "./read-sv-setup.ts";
import { readValidatorSetup } from "./read-validator-setup.ts";
import type { ProcessSetup } from "./setups.ts";

export interface RoleTable {
  readonly name: string;
  readonly keys: KeyTable;
  readonly read: (parts: ReadParts) => SetupOutcome<ProcessSetup>;
}

export const ROLE_TABLES: readonly RoleTable[] = [
  { name: "validator", keys: VALIDATOR_KEYS, read: readValidatorSetup },
  { name: "participant", keys: PARTICIPANT_KEYS, read: readParticipantSetup },
  { name: "sv", keys: SV_KEYS, read: readSvSetup },
];

/** The role that knows most of the keys that were given. */
export function guessRole(read: ReadParts): RoleTable {
  const unknown = ({ read: readSetup }: RoleTable) => {
    const outcome = readSetup(read);
    return outcome.ok
      ? -1
      : outcome.findings.filter(({ problem }) => problem === "is not a known key").length;
  };
  const ranked = ROLE_TABLES.map((table) => ({ table, unknown: unknown(table) })).sort(
    (a, b) => a.unknown - b.unknown,
  );
  const [best] = ranked;
  if (best === undefined) throw new Error("there is no role");
  return best.table;
}
