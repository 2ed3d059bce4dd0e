/** The parts of a snapshot as texts: one row a line, cut at a size that can be handed over at once. */
import type { DatabaseSync } from "node:sqlite";
import type { Hash, Head } from "@callsign/ledger";
import { formatJson, parseJson } from "@callsign/node";
import { SNAPSHOT_PART_CHARACTERS } from "../limits/limits.ts";
import type { SnapshotKind, SnapshotRow } from "./snapshot-rows.ts";

/** The state after an entry, by the hashes of its parts. */
export interface SnapshotManifest {
  /** The network's id. */
  readonly network: string;
  readonly head: Head;
  readonly parts: readonly string[];
}

/** The digest that SVs attest. */
export function digestSnapshot(hash: Hash, { network, head, parts }: SnapshotManifest): string {
  const { sequence, entryHash, digest, recordTime } = head;
  return hash(
    ["callsign-snapshot-parts-1", network, sequence, entryHash, digest, recordTime, ...parts].join("\n"),
  );
}

export function* exportParts(
  database: DatabaseSync,
  { recordTime }: Pick<Head, "recordTime">,
  kinds: readonly SnapshotKind[],
): Generator<string> {
  let lines: string[] = [];
  let characters = 0;
  for (const { name, list } of kinds) {
    for (const row of list(database, recordTime)) {
      const line = formatJson([name, ...row]);
      lines.push(line);
      characters += line.length;
      if (characters < SNAPSHOT_PART_CHARACTERS) continue;
      yield lines.join("\n");
      [lines, characters] = [[], 0];
    }
  }
  if (lines.length > 0) yield lines.join("\n");
}

/** The rows of a part, each with the name of its kind. */
export function* readPart(part: string): Generator<readonly [name: string, row: SnapshotRow]> {
  for (const line of part.split("\n")) {
    const [name, ...row] = parseJson(line) as [string, ...SnapshotRow];
    yield [name, row];
  }
}
