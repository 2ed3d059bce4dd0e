import { z } from "zod";
import { int64 } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime } from "../wire/texts.ts";
import { Event } from "./events.ts";
import { string, TraceContext } from "./proto.ts";

export const Transaction = z
  .object({
    updateId: z.string(),
    /** Empty for readers other than the submitter. */
    commandId: string,
    workflowId: string,
    effectiveAt: dateTime,
    events: z.array(Event),
    offset: int64,
    synchronizerId: z.string(),
    traceContext: orNull(TraceContext),
    recordTime: dateTime,
    externalTransactionHash: orNull(z.string()),
    paidTrafficCost: orNull(int64),
  })
  .meta({ id: "JsTransaction" });
export type Transaction = z.output<typeof Transaction>;
