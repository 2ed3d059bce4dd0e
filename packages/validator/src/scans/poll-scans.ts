/**
 * One round of questions to scans. A few are asked at first; others at once if one fails or differs, and after a short
 * delay if one is slow. The round ends as soon as its outcome is certain.
 */
import { type Host, startInterval } from "@callsign/node";
import { decideAgreement, type Quorum } from "./agreement.ts";
import type { HeardVote, Question, ScanConnection, ScanPatience } from "./scan-connection.ts";

export interface PolledVote<T> extends HeardVote<T> {
  readonly scan: ScanConnection;
}

export interface Poll<T> {
  readonly votes: readonly PolledVote<T>[];
  /** The votes that agree; empty if there is no agreement. */
  readonly agreed: readonly PolledVote<T>[];
  /** Scans that have not answered, with the time at which they were asked. */
  readonly pending: ReadonlyMap<ScanConnection, number>;
}

export interface PollParts<T> {
  readonly question: Question<T>;
  /** In the order in which they are asked. */
  readonly scans: readonly ScanConnection[];
  readonly quorum: Quorum;
  /** True if answers differed before in this read. */
  readonly isDisputed: boolean;
  readonly host: Host;
  readonly patience: ScanPatience;
  /** True for a scan that misbehaved a moment ago: it is not waited for as long as the others. */
  readonly bearsGrudge: (scan: ScanConnection) => boolean;
}

export function pollScans<T>(parts: PollParts<T>): Promise<Poll<T>> {
  const { question, scans, quorum, isDisputed, host, patience, bearsGrudge } = parts;
  const now = () => host.clock.elapsedMilliseconds();
  const rest = [...scans];
  const votes: PolledVote<T>[] = [];
  const pending = new Map<ScanConnection, number>();
  const begun = now();
  let isFinished = false;
  return new Promise((resolve) => {
    const finish = (agreed: readonly PolledVote<T>[]) => {
      stopHedging();
      isFinished = true;
      resolve({ votes, agreed, pending });
    };
    const ask = (number: number) => {
      for (const scan of rest.splice(0, number)) {
        pending.set(scan, now());
        void scan.ask(question).then(({ said, at, standing }) => {
          // A call that nobody waits for ends by itself, within its timeout.
          if (isFinished) return;
          pending.delete(scan);
          votes.push({ scan, said, at, standing });
          proceed();
        });
      }
    };
    const isPatienceOver = () => {
      const waited = now() - begun;
      return (
        waited >= patience.others || (waited >= patience.hedge && [...pending.keys()].every(bearsGrudge))
      );
    };
    const proceed = () => {
      const patienceOver = isPatienceOver();
      const count = { pending: pending.size, unasked: rest.length, isDisputed, patienceOver };
      const decision = decideAgreement<T, PolledVote<T>>(quorum, votes, count);
      if (decision.kind === "open") ask(decision.ask);
      else finish(decision.kind === "agreed" ? decision.votes : []);
    };
    const hedge = () => {
      ask(1);
      proceed();
    };
    const stopHedging = startInterval(hedge, patience.hedge, host.timers);
    ask(isDisputed ? scans.length : quorum.first);
  });
}
