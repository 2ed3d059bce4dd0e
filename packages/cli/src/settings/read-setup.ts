/** The setup of a role from all its sources, or every mistake in them. */
import type { KeyTable } from "../keys/key.ts";
import type { ReadParts, SetupOutcome } from "./config-source.ts";
import { gatherValues } from "./gather-values.ts";
import { KeyReader } from "./key-reader.ts";
import type { Announcements, ProcessSetup } from "./setups.ts";

/** A setup before it is known what a start has to announce. */
export type Draft<Setup extends ProcessSetup> = Omit<Setup, keyof Announcements>;

/** `draft` gives undefined if a setup cannot even be drafted; its findings then say why. */
export function readSetup<T>(
  table: KeyTable,
  parts: ReadParts,
  draft: (reader: KeyReader) => T | undefined,
): SetupOutcome<T & Announcements> {
  const reader = new KeyReader(table, gatherValues(table, parts));
  const drafted = draft(reader);
  const { findings, unusedKeys, warnings } = reader;
  if (drafted === undefined) return { ok: false, findings };
  const setup = { ...drafted, unusedKeys, warnings };
  return findings.length > 0 ? { ok: false, findings, draft: setup } : { ok: true, setup };
}
