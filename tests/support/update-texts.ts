/** The texts of scan's updates, however they share blocks. */
import type { DatabaseSync } from "node:sqlite";
import { DICTIONARIES } from "../../packages/scan/src/rows/update-dictionaries.ts";
import { openCheckedDictionaries } from "../../packages/synchronizer/src/replica/checked-dictionaries.ts";

/** A line for each, its record time before it. Throws if a block does not stand under its last update. */
export function listUpdateTexts(database: DatabaseSync): readonly string[] {
  const dictionaries = openCheckedDictionaries(database, DICTIONARIES);
  const blocks = database.prepare("select last, packed from update_block order by last").all();
  return blocks.flatMap(({ last, packed }) => {
    const lines = dictionaries.unpack(packed as Uint8Array).split("\n");
    if (lines.at(-1)?.startsWith(`${last} `) !== true)
      throw new Error(`the block ${last} of updates does not end with its update`);
    return lines;
  });
}
