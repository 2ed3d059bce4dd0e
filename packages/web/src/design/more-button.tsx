import type { ReadPages } from "../calls/use-calls.ts";
import { useWords } from "../words/words.ts";
import { ActionButton } from "./action.tsx";

/** Reads the next page, if there is one. */
export function MoreButton({
  pages,
}: {
  readonly pages: Pick<ReadPages<unknown>, "more" | "isReadingMore">;
}) {
  const { shell } = useWords();
  if (pages.more === null) return null;
  return (
    <div>
      <ActionButton kind="quiet" onPress={pages.more} isPending={pages.isReadingMore}>
        {pages.isReadingMore ? shell.loading : shell.more}
      </ActionButton>
    </div>
  );
}
