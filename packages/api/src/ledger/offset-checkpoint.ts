import { z } from "zod";
import { int64 } from "../wire/numbers.ts";
import { dateTime } from "../wire/texts.ts";

export const SynchronizerTime = z
  .object({ synchronizerId: z.string(), recordTime: dateTime })
  .meta({ id: "SynchronizerTime" });

/** Up to where a list looked, so that its reader can go on from there. */
export const OffsetCheckpoint = z
  .object({ offset: int64, synchronizerTimes: z.array(SynchronizerTime).default([]) })
  .meta({ id: "OffsetCheckpoint" });
