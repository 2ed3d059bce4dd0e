/** The key by which an operator says that a start is part of a migration: the same for a participant and a validator. */
import { type Key, key } from "./key.ts";
import { FLAG } from "./key-type.ts";

export const MIGRATING_KEY: Key = key(
  "migration.migrating",
  FLAG,
  "carry the store over from the migration before; without it another `migration.id` is refused",
  { otherwise: "`false`", variables: ["CALLSIGN_MIGRATING"] },
);
