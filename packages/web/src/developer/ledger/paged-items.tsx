import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { MoreButton } from "../../design/more-button.tsx";
import { ErrorNotice, Nothing, Waiting } from "../../design/notice.tsx";

/** The items of the pages that were read so far, and a button for the next page. */
export function PagedItems<T>({
  pages,
  items,
  keyOf,
  waiting,
  empty,
  children,
}: {
  readonly pages: UseInfiniteQueryResult<InfiniteData<unknown>>;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly waiting: string;
  /** Said where there is no item. */
  readonly empty: string;
  readonly children: (item: T) => ReactNode;
}) {
  const more = pages.hasNextPage ? () => void pages.fetchNextPage() : null;
  return (
    <>
      {pages.isPending ? <Waiting>{waiting}</Waiting> : null}
      {pages.data !== undefined && items.length === 0 ? <Nothing title={empty} /> : null}
      <ul>
        {items.map((item) => (
          <li key={keyOf(item)} className="item">
            {children(item)}
          </li>
        ))}
      </ul>
      {pages.error === null ? null : <ErrorNotice error={pages.error} onRetry={() => void pages.refetch()} />}
      <MoreButton pages={{ more, isReadingMore: pages.isFetchingNextPage }} />
    </>
  );
}
