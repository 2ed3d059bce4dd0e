import { z } from "zod";
import { int64Parameter } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";

/** The default and the largest number of items in a list. */
export const MAX_LIST_ELEMENTS = 200;
/** The time that an open-ended list waits for one more item. */
export const LIST_WAIT_MILLISECONDS = 500;

/** For operations that answer a stream as a list. */
export const listQuery = z.object({
  limit: orNull(int64Parameter),
  stream_idle_timeout_ms: orNull(int64Parameter),
});
