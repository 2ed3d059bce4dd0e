/** What an application does by itself, as its operator sees it. The same for validators and SVs. */
import { z } from "zod";
import { orNull } from "../wire/or-null.ts";

const count = z.int().nonnegative();

/** What a task waits for. */
const Wait = z.object({
  task: z.string(),
  for: z.enum(["turn", "another try", "coin", "confirmations"]),
  /** Why it failed; null if it has not. */
  reason: orNull(z.string()),
});

const Stuck = z.object({ task: z.string(), failures: count, reason: z.string() });

export const WireAutomationStatus = z
  .object({
    automation: z.string(),
    /** Whether configuration says that it does nothing here. */
    paused: z.boolean(),
    /** What was done since the application started. */
    done: count,
    /** What another was faster with. */
    lost: count,
    /** Tries that failed though the work was still to be done. */
    failed: count,
    in_flight: count,
    /** How many tasks wait, for whatever. */
    waiting: count,
    /** The first few of those that wait. */
    waits: z.array(Wait),
    /** When time alone makes the next of it due, on the ledger's clock; null if nothing is known to fall due. */
    next_due_at: orNull(z.string()),
    /** The ledger's time at which it last did something; null if it has not since the start. */
    last_done_at: orNull(z.string()),
    /** Tasks that failed again and again: the first few. */
    stuck: z.array(Stuck),
  })
  .meta({ id: "AutomationStatus" });
export type WireAutomationStatus = z.infer<typeof WireAutomationStatus>;

export const ListAutomationsResponse = z
  .object({ automations: z.array(WireAutomationStatus) })
  .meta({ id: "ListAutomationsResponse" });
