/** Limits and pauses of the automation frame. */

export interface RetryLimits {
  readonly firstMilliseconds: number;
  /** The first pause of a task that needs something, such as coin; by default that of any other. */
  readonly firstForNeedMilliseconds?: number;
  readonly longestMilliseconds: number;
}

/** From so many failures on a task is called stuck. */
export const STUCK_FAILURES = 4;
/** Waiting and stuck tasks that a status names; all of them are counted. */
export const SHOWN_TASKS = 20;

/** An SV's tasks: submissions to its own sequencer. */
export const SUBJECT_RETRY: RetryLimits = {
  firstMilliseconds: 100,
  longestMilliseconds: 60_000,
};
export const SUBJECT_LIMITS = {
  inFlight: 16,
  /** Tasks in flight or waiting for a turn before the sweep pauses. */
  window: 128,
  tasks: 5000,
  failing: 1000,
  changedSubjects: 50_000,
  decisionsPerTurn: 100,
} as const;

/** A validator's tasks: transient failures go away soon, missing coin takes longer to arrive. */
export const LISTED_RETRY: RetryLimits = {
  firstMilliseconds: 250,
  firstForNeedMilliseconds: 5000,
  longestMilliseconds: 10 * 60_000,
};
export const LISTED_LIMITS = {
  ownersAtOnce: 4,
  /** The remaining tasks are listed when these are done. */
  queued: 10_000,
  /** A task that takes longer goes on, and its owner's lane moves on without it. */
  taskMilliseconds: 10_000,
  /** Listing that takes at least so long is followed by a pause of `restFactor` times as long. */
  longListingMilliseconds: 5,
  restFactor: 9,
  longestRestMilliseconds: 1000,
} as const;
export const WATCH_LIMITS = { shortestMilliseconds: 200, longestMilliseconds: 5000 } as const;

/** The extra wait of each rank. */
export const RANK_WAIT = {
  leastMilliseconds: 150,
  mostMilliseconds: 5000,
  /** In multiples of an answer's time. */
  answers: 3,
  /** The weight of the newest answer in the mean. */
  newestShare: 0.2,
} as const;
