/** The parts of the network's data that can be rebuilt, and the place that each is rebuilt from. */
import { join } from "node:path";
import {
  CannotStart,
  type Host,
  markDamaged,
  moveAside,
  type RebuiltFile,
  removeDatabase,
} from "@callsign/node";
import { SHARED_REPLICA, SV_NAMES } from "./data-folder.ts";
import type { LocalnetOptions } from "./localnet-options.ts";
import { NODE_NAMES } from "./ports.ts";

export interface DataPart {
  /** The word for `--rebuild`. */
  readonly name: string;
  /** Its file within the data folder. */
  readonly file: string;
  readonly source: string;
  /** Data that no other part has; null if there is none. */
  readonly lost: string | null;
}

const PARTICIPANT_ALONE =
  "users other than those of npm start, their rights, identity providers, annotations of parties, and the pruning schedule";

/** Chooses the parts: a replica for each SV, or one for all. */
export type ReplicasOption = Pick<LocalnetOptions, "separateReplicas">;

function replicaIn(folder: string): DataPart {
  return { name: folder, file: join(folder, "replica.db"), source: "the log", lost: null };
}

const SHARED = replicaIn(SHARED_REPLICA);
const SEPARATE = SV_NAMES.map(replicaIn);
const OF_NODES: readonly DataPart[] = NODE_NAMES.flatMap((name) => [
  {
    name: `${name}/participant`,
    file: join(name, "participant", "participant.sqlite"),
    source: "the sequencers",
    lost: PARTICIPANT_ALONE,
  },
  {
    name: `${name}/validator`,
    file: join(name, "validator", "validator.sqlite"),
    source: "its participant",
    lost: null,
  },
]);

/** The log has no row here: all other parts are made from it. */
export const DATA_PARTS: readonly DataPart[] = [SHARED, ...SEPARATE, ...OF_NODES];

/** The parts that a network has. */
export function listParts({ separateReplicas = false }: ReplicasOption): readonly DataPart[] {
  return [...(separateReplicas ? SEPARATE : [SHARED]), ...OF_NODES];
}

/** Call it once the replicas that are used have reached the log's end: they have all rows of the others. */
export function removeUnusedReplicas(
  dataFolder: string,
  { separateReplicas }: ReplicasOption,
  host: Host,
): void {
  const unused = separateReplicas ? [SHARED] : SEPARATE;
  for (const { file } of unused) removeDatabase(join(dataFolder, file), host);
}

/**
 * Moves the files of these parts aside, and finishes moves that were cut short. No process may use the folder. Throws if the
 * network has no such part.
 */
export function moveParts(
  dataFolder: string,
  { rebuild: parts = [], ...option }: Pick<LocalnetOptions, "rebuild" | "separateReplicas">,
  host: Host,
): readonly RebuiltFile[] {
  const used = listParts(option);
  for (const part of parts) {
    const found = used.find(({ name }) => name === part);
    if (found === undefined)
      throw new CannotStart(
        `there is no part ${part} to rebuild: parts are ${used.map(({ name }) => name).join(", ")}`,
      );
    // One that is missing is rebuilt all the same.
    if (host.files.listFiles(dataFolder, [found.file]).length > 0)
      markDamaged(join(dataFolder, found.file), "its operator wants it rebuilt", host);
  }
  return DATA_PARTS.flatMap(({ file }) => moveAside(join(dataFolder, file), host) ?? []);
}

/** The sentence for a part whose damage stops the start: to rebuild it loses something, so that its operator decides. */
export function describeDamage(name: string, error: unknown): string {
  const part = DATA_PARTS.find((each) => each.name === name);
  const reason = error instanceof Error ? error.message : String(error);
  const damage = `the store of ${name} is damaged: ${reason}`;
  if (part === undefined) return damage;
  const loss = part.lost === null ? "" : `, without ${part.lost}`;
  return (
    `${damage}.\nRestore ${part.file} from a copy, or start with --rebuild ${name}: ` +
    `the file is moved aside, and its rows are read again from ${part.source}${loss}`
  );
}

export function describeRebuilt({ path, reason, movedTo }: RebuiltFile): string {
  const source = DATA_PARTS.find(({ file }) => path.endsWith(file))?.source;
  return `${path} was damaged (${reason}). It is in ${movedTo} now, and is rebuilt from ${source}.`;
}
