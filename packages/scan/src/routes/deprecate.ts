/**
 * Operations that will go, with the header that says so. Splice sends none and the seed names none, so it has the form of
 * RFC 9745: an `@` and the second since which the operations are deprecated, by Splice's document of then.
 */
import type { Call } from "@callsign/node";
import type { ScanHandlers } from "./scan-handlers.ts";
import { type SoonAnswer, withHeaders } from "./with-headers.ts";

/** 2026-05-04T09:35:49Z */
const DEPRECATED = { deprecation: "@1777887349" } as const;

type AnyHandler = (request: never, call: Call<null>) => SoonAnswer;

/** Answers and refusals of these handlers carry the header. */
export function deprecate<H extends ScanHandlers>(handlers: H): H {
  const marked = Object.entries(handlers as Readonly<Record<string, AnyHandler>>).map(
    ([id, handle]) =>
      [
        id,
        (request: never, call: Call<null>) => withHeaders(DEPRECATED, () => handle(request, call)),
      ] as const,
  );
  return Object.fromEntries(marked) as unknown as H;
}
