import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useWebConfig } from "../config/web-config.ts";
import { useSession } from "../login/session.ts";
import { type CallAnswer, type CallRequest, call, type OperationName, type ServiceName } from "./call.ts";

export interface ReadOptions {
  /** False asks nothing. */
  readonly isWanted?: boolean;
  /** The answer is asked for again after so long. */
  readonly everyMilliseconds?: number;
  /** The answer before stays in view while the next one is on its way. */
  readonly keepsPrevious?: boolean;
}

/** An operation's answer, asked for when it is shown and kept for a short while. */
export function useRead<S extends ServiceName, O extends OperationName<S>>(
  service: S,
  operation: O,
  request: CallRequest<S, O>,
  { isWanted = true, everyMilliseconds, keepsPrevious = false }: ReadOptions = {},
): UseQueryResult<CallAnswer<S, O>> {
  const config = useWebConfig();
  const session = useSession();
  const user = session.kind === "in" && service !== "scan" ? session.session.user : null;
  const read: UseQueryResult<unknown> = useQuery<unknown>({
    queryKey: [service, operation, request, user],
    queryFn: async ({ signal }) => (await call(config, service, operation, request, { signal })) ?? null,
    enabled: isWanted,
    ...(everyMilliseconds === undefined ? {} : { refetchInterval: everyMilliseconds }),
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
  });
  return read as UseQueryResult<CallAnswer<S, O>>;
}

/** An operation that changes something. What was read of the service is asked for again behind it. */
export function useChange<S extends ServiceName, O extends OperationName<S>>(
  service: S,
  operation: O,
): UseMutationResult<CallAnswer<S, O>, Error, CallRequest<S, O>> {
  const config = useWebConfig();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: CallRequest<S, O>) => call(config, service, operation, request),
    onSettled: () => client.invalidateQueries({ queryKey: [service] }),
  });
}
