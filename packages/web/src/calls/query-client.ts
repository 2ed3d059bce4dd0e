import { QueryClient } from "@tanstack/react-query";
import { CallError } from "./call-error.ts";

const FRESH_MILLISECONDS = 5000;
const MAX_RETRIES = 2;

/** Only failures that may pass are tried again, so that an honest error shows at once. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MILLISECONDS,
        retry: (failures, error) => failures < MAX_RETRIES && error instanceof CallError && error.isPassing,
        retryDelay: (failure) => 500 * 2 ** failure,
        queryKeyHashFn: (key) =>
          JSON.stringify(key, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value)),
      },
      mutations: { retry: false },
    },
  });
}
