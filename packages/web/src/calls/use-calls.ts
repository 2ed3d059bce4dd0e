import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useWebConfig } from "../config/web-config.ts";
import { useSession } from "../login/session.ts";
import {
  type CallAnswer,
  type Calling,
  type CallRequest,
  call,
  type OperationName,
  type ServiceName,
} from "./call.ts";

export interface ReadOptions {
  /** False asks nothing. */
  readonly isWanted?: boolean;
  /** The answer is asked for again after so long. */
  readonly everyMilliseconds?: number;
  /** The answer before stays in view while the next one is on its way. */
  readonly keepsPrevious?: boolean;
  /** An answer that is kept from before is asked for again at once. */
  readonly isAskedAnew?: boolean;
}

/** An operation's answer, asked for when it is shown and kept for a short while. */
export function useRead<S extends ServiceName, O extends OperationName<S>>(
  service: S,
  operation: O,
  request: CallRequest<S, O>,
  { isWanted = true, everyMilliseconds, keepsPrevious = false, isAskedAnew = false }: ReadOptions = {},
): UseQueryResult<CallAnswer<S, O>> {
  const config = useWebConfig();
  const user = useUserOf(service);
  const read: UseQueryResult<unknown> = useQuery<unknown>({
    queryKey: [service, operation, request, user],
    queryFn: async ({ signal }) => (await call(config, service, operation, request, { signal })) ?? null,
    enabled: isWanted,
    ...(everyMilliseconds === undefined ? {} : { refetchInterval: everyMilliseconds }),
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    ...(isAskedAnew ? { staleTime: 0 } : {}),
  });
  return read as UseQueryResult<CallAnswer<S, O>>;
}

export interface ReadPages<T> {
  /** The pages that were read so far, the first one first. */
  readonly read: UseQueryResult<readonly T[]>;
  /** Null behind the last page. */
  readonly more: (() => void) | null;
  readonly isReadingMore: boolean;
}

/** An operation that answers page after page: `requestAfter` is asked with the cursor that `nextOf` found, first with null. */
export function useReadPages<S extends ServiceName, O extends OperationName<S>>(
  service: S,
  operation: O,
  requestAfter: (cursor: string | null) => CallRequest<S, O>,
  nextOf: (answer: CallAnswer<S, O>) => string | null,
): ReadPages<CallAnswer<S, O>> {
  const config = useWebConfig();
  const user = useUserOf(service);
  const found = useInfiniteQuery<unknown, Error, { pages: unknown[] }, readonly unknown[], string | null>({
    queryKey: [service, operation, requestAfter(null), user, "pages"],
    queryFn: ({ signal, pageParam }) =>
      call(config, service, operation, requestAfter(pageParam), { signal }) as Promise<unknown>,
    initialPageParam: null,
    getNextPageParam: (last) => nextOf(last as CallAnswer<S, O>),
  });
  const read = { ...found, data: found.data?.pages } as unknown as UseQueryResult<CallAnswer<S, O>[]>;
  return {
    read,
    more: found.hasNextPage ? () => void found.fetchNextPage() : null,
    isReadingMore: found.isFetchingNextPage,
  };
}

/** Answers of a service for users are kept for each user apart. */
function useUserOf(service: ServiceName): string | null {
  const session = useSession();
  return session.kind === "in" && service !== "scan" ? session.session.user : null;
}

/** An operation that changes something. What was read of the service is asked for again behind it. */
export function useChange<S extends ServiceName, O extends OperationName<S>>(
  service: S,
  operation: O,
  calling: Pick<Calling, "patienceMilliseconds"> = {},
): UseMutationResult<CallAnswer<S, O>, Error, CallRequest<S, O>> {
  const config = useWebConfig();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: CallRequest<S, O>) => call(config, service, operation, request, calling),
    onSettled: () => client.invalidateQueries({ queryKey: [service] }),
  });
}
