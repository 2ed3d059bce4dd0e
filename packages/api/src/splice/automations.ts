/** Automations as the operator of a validator or an SV sees them. */
import { z } from "zod";
import { json } from "../endpoint.ts";
import { orNull } from "../wire/or-null.ts";

const count = z.int().nonnegative();

/** The reason why a task waits. */
const Wait = z.object({
  task: z.string(),
  for: z.enum(["turn", "another try", "coin", "confirmations"]),
  /** The reason of the last failure, or of the wait; null before the first attempt. */
  reason: orNull(z.string()),
  /**
   * Facts about a task that waits; null if there are none. A renewal that waits for coin has `name` and `ends_at` of the
   * entry, `coin_needed` and `coin_available`.
   */
  details: orNull(z.record(z.string(), z.string())),
});

const Stuck = z.object({ task: z.string(), failures: count, reason: z.string() });

export const WireAutomationStatus = z
  .object({
    automation: z.string(),
    /** True if the configuration or the operator has paused the automation. */
    paused: z.boolean(),
    /** Tasks done since the application started. */
    done: count,
    /** Tasks that another node did first. */
    lost: count,
    /** Attempts that failed although the work was still to be done. */
    failed: count,
    in_flight: count,
    /** The number of tasks that wait, for any reason. */
    waiting: count,
    /** The first few tasks that wait. */
    waits: z.array(Wait),
    /** The ledger time at which the next task falls due; null if none is known. */
    next_due_at: orNull(z.string()),
    /** The ledger's time of the last task that was done; null if none was done since the start. */
    last_done_at: orNull(z.string()),
    /** The first few tasks that keep failing. */
    stuck: z.array(Stuck),
  })
  .meta({ id: "AutomationStatus" });
export type WireAutomationStatus = z.infer<typeof WireAutomationStatus>;

/** The operation, which validators and SV apps have under one path. */
export const pauseAutomation = {
  method: "POST",
  path: "/ext/v1/admin/automations/{automation}",
  summary: "Pauses an automation, or resumes it, until the process restarts",
  description:
    "A task under way is completed. After a restart the configuration counts again. 409: the automation is not set up here.",
  params: z.object({ automation: z.string() }),
  body: z.object({ paused: z.boolean() }).meta({ id: "PauseAutomationRequest" }),
  success: json(WireAutomationStatus),
} as const;

export const ListAutomationsResponse = z
  .object({ automations: z.array(WireAutomationStatus) })
  .meta({ id: "ListAutomationsResponse" });
