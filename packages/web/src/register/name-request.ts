/** A request for a name as the user sees it: its steps, which of them is under way, and since when. */
import type { NameRequest } from "@callsign/api";

export type StepId = "requested" | "paid" | "collected" | "live";
export type StepState = "done" | "now" | "later" | "failed";

export interface Step {
  readonly id: StepId;
  readonly state: StepState;
  /** When it was done, or since when it is waited for. */
  readonly since: string | null;
}

export function isOpen({ state }: NameRequest): boolean {
  return state === "waiting_for_payment" || state === "paid" || state === "requested";
}

/** The steps of a purchase; a take-up has no payment and is decided by the SVs at once. */
export function stepsOf(request: NameRequest): readonly Step[] {
  const { state, requestedAt, payment, endedAt } = request;
  const requested: Step = { id: "requested", state: "done", since: requestedAt };
  if (state === "waiting_for_payment") {
    return [requested, now("paid", requestedAt), later("collected"), later("live")];
  }
  if (state === "rejected" || state === "withdrawn") {
    return [requested, failed("paid", endedAt), later("collected"), later("live")];
  }
  const paid: Step = { id: "paid", state: "done", since: payment?.at ?? requestedAt };
  if (state === "paid" || state === "requested") {
    return [requested, paid, now("collected", paid.since), later("live")];
  }
  if (state === "registered") {
    const collected: Step = { id: "collected", state: "done", since: endedAt };
    return [requested, paid, collected, { id: "live", state: "done", since: endedAt }];
  }
  return [requested, paid, failed("collected", endedAt), later("live")];
}

function now(id: StepId, since: string | null): Step {
  return { id, state: "now", since };
}

function later(id: StepId): Step {
  return { id, state: "later", since: null };
}

function failed(id: StepId, since: string | null): Step {
  return { id, state: "failed", since };
}

/** The request that decides on a name now: the newest open one, or else the newest. Requests come newest first. */
export function findRequestOf(name: string, requests: readonly NameRequest[]): NameRequest | null {
  const ofName = requests.filter((request) => request.name === name);
  return ofName.find(isOpen) ?? ofName[0] ?? null;
}
