import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useWords } from "../words/words.ts";
import { ErrorNotice, Waiting } from "./notice.tsx";

/** The three ends of a request: its content (or that there is none), an error with a retry, and the wait before. */
export function ReadView<T>({
  read,
  waiting,
  isEmpty,
  empty,
  children,
}: {
  readonly read: UseQueryResult<T>;
  /** Names the thing that the user waits for. */
  readonly waiting?: string;
  readonly isEmpty?: (data: T) => boolean;
  readonly empty?: ReactNode;
  readonly children: (data: T) => ReactNode;
}) {
  const words = useWords();
  const { data, error } = read;
  if (data !== undefined) return isEmpty?.(data) === true ? empty : children(data);
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void read.refetch()} />;
  return <Waiting>{waiting ?? words.shell.loading}</Waiting>;
}
