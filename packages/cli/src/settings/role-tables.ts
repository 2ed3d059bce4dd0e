/** The roles that are configured: their keys, and how their setups are read. */
import type { KeyTable } from "../keys/key.ts";
import { findMatched, type KeyMatch, matchAll, matchItem, matchName } from "../keys/match-keys.ts";
import { PARTICIPANT_KEYS } from "../keys/participant-keys.ts";
import { SCAN_ROLE_KEYS } from "../keys/scan-keys.ts";
import { SV_KEYS } from "../keys/sv-keys.ts";
import { VALIDATOR_KEYS } from "../keys/validator-keys.ts";
import type { ValueNode } from "../values/value-node.ts";
import type { ReadParts, SetupOutcome } from "./config-source.ts";
import { gatherValues } from "./gather-values.ts";
import { readParticipantSetup } from "./read-participant-setup.ts";
import { readScanSetup } from "./read-scan-setup.ts";
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
  { name: "scan", keys: SCAN_ROLE_KEYS, read: readScanSetup },
];

/** The role that knows most of the keys that were given; of several the one without a mistake. */
export function guessRole(parts: ReadParts): RoleTable {
  const unknown = ROLE_TABLES.map(({ keys }) =>
    countUnknown(gatherValues(keys, parts).values, matchAll(keys)),
  );
  const likely = ROLE_TABLES.filter((_, i) => unknown[i] === Math.min(...unknown));
  const role = likely.find(({ read }) => read(parts).ok) ?? likely[0];
  if (role === undefined) throw new Error("there is no role");
  return role;
}

/** True if a variable of the environment sets a key of a role. */
export function isConfiguredBy(environment: Readonly<Record<string, string | undefined>>): boolean {
  const variables = ROLE_TABLES.flatMap(({ keys }) => keys.flatMap((key) => key.variables));
  return variables.some((name) => (environment[name] ?? "") !== "");
}

function countUnknown(node: ValueNode, matches: readonly KeyMatch[]): number {
  if (findMatched(matches) !== undefined) return 0;
  if (matches.length === 0) return 1;
  const inner =
    node.kind === "map"
      ? [...node.entries].map(([name, each]) => countUnknown(each, matchName(matches, name)))
      : node.kind === "list"
        ? node.items.map((item) => countUnknown(item, matchItem(matches)))
        : [];
  return inner.reduce((sum, count) => sum + count, 0);
}
