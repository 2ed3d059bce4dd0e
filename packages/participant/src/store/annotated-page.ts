/**
 * Pages of what has annotations, 256 KiB of them at most: ten thousand such rows are more than a machine holds. A page
 * ends early where its annotations are too many, and the next one goes on from there.
 */
import type { SqlRow } from "@callsign/node";
import { ANNOTATED_BATCH, MAX_PAGE_ANNOTATION_CHARACTERS } from "../limits/limits.ts";

export interface AnnotatedPage<T> {
  /** At least one, where there is any. */
  readonly items: readonly T[];
  /** Whether there may be more behind them. */
  readonly mayGoOn: boolean;
}

/** `read`: rows behind one, in their order, whose annotations are in the column of that name. `key`: the column to go on from. */
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
