/**
 * Pages of rows with annotations, up to 256 KiB each: ten thousand such rows are too many for memory. A page ends early
 * when its annotations are too large, and the next page continues.
 */
import type { SqlRow } from "@callsign/node";
import { ANNOTATED_BATCH, MAX_PAGE_ANNOTATION_CHARACTERS } from "../limits/limits.ts";

export interface AnnotatedPage<T> {
  /** At least one if there is any. */
  readonly items: readonly T[];
  /** True if there may be more rows. */
  readonly mayGoOn: boolean;
}

/** `read` returns rows after a key, in order, with a column `annotations`. `key`: the column of the key. */
export async function readAnnotatedPage(
  read: (after: string, limit: number) => Promise<readonly SqlRow[]>,
  { after, limit, key }: { readonly after: string; readonly limit: number; readonly key: string },
): Promise<AnnotatedPage<SqlRow>> {
  const items: SqlRow[] = [];
  let characters = 0;
  while (items.length < limit) {
    const asked = Math.min(ANNOTATED_BATCH, limit - items.length);
    const rows = await read((items.at(-1)?.[key] as string | undefined) ?? after, asked);
    for (const row of rows) {
      characters += (row["annotations"] as string | null)?.length ?? 0;
      if (characters > MAX_PAGE_ANNOTATION_CHARACTERS && items.length > 0) return { items, mayGoOn: true };
      items.push(row);
    }
    if (rows.length < asked) return { items, mayGoOn: false };
  }
  return { items, mayGoOn: true };
}
