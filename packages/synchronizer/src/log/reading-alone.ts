/** A log as those see it who may only read it. */
import type { OrderedLog } from "./ordered-log.ts";

const REASON = "the log is opened for reading alone";

export function readingAlone(log: OrderedLog): OrderedLog {
  const refuse = () => Promise.reject(new Error(REASON));
  return {
    head: log.head,
    start: log.start,
    ...(log.keptFirst === undefined ? {} : { keptFirst: log.keptFirst }),
    ...(log.isLaterTerm === undefined ? {} : { isLaterTerm: log.isLaterTerm }),
    follow: (after, signal) => log.follow(after, signal),
    close: log.close,
    unwritable: () => REASON,
    term: refuse,
    append: refuse,
    // A copy of the log follows what the writers have trimmed.
    trim: async (upTo) => {
      if (upTo > (await log.start()).sequence) throw new Error(REASON);
    },
  };
}
