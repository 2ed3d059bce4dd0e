/** The records of a run under faults, the checks of them, and proof that each check sees what it is there for. */
import { compareCoins } from "../localnet/economy-checks.ts";
import {
  type CheckedLog,
  compareReplicas,
  compareSubmissions,
  listImpossible,
  type ReplicaHead,
} from "./check-log.ts";
import type { Outage } from "./fault-injector.ts";
import { compareShownOwners, type ShownOwners } from "./name-buyers.ts";
import type { SubmissionRecord } from "./submission-record.ts";

/** Everything that was collected when all had healed, and all SVs were stopped. */
export interface Collected {
  readonly submissions: readonly SubmissionRecord[];
  readonly outages: readonly Outage[];
  readonly owners: ShownOwners;
  readonly askers: ReadonlyMap<string, ReadonlySet<string>>;
  /** The coin that the participant shows each party, in units of the last digit. */
  readonly coins: ReadonlyMap<string, bigint>;
  readonly replicas: readonly ReplicaHead[];
  readonly log: CheckedLog;
}

export function listProblems(collected: Collected): readonly string[] {
  const { submissions, outages, owners, askers, coins, replicas, log } = collected;
  const unanswered = submissions.filter(({ state }) => state === "unknown");
  return [
    ...unanswered.map(({ commandId }) => `"${commandId}" got no answer`),
    ...listImpossible(submissions, outages),
    ...compareSubmissions(submissions, log.accepted),
    ...compareShownOwners(owners, askers, log.givenBack),
    ...compareReplicas(replicas, log),
    ...compareCoins(coins, log),
  ];
}

/** The same records with one thing in them that must not be. */
const PLANTED: Readonly<Record<string, (collected: Collected) => Partial<Collected>>> = {
  "an acknowledged submission is lost": ({ submissions, log }) =>
    withCount(log, acknowledged(submissions), 0),
  "an acknowledged submission is doubled": ({ submissions, log }) =>
    withCount(log, acknowledged(submissions), 2),
  "a refused submission took effect": ({ submissions }) => ({
    submissions: replaceFirst(submissions, acknowledged(submissions), { state: "refused" }),
  }),
  "a submission has no answer": ({ submissions }) => ({
    submissions: replaceFirst(submissions, acknowledged(submissions), { state: "unknown" }),
  }),
  "a submission is acknowledged without a quorum of nodes": () => ({
    outages: [{ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }],
  }),
  "a name is a stranger's": ({ owners }) => withOwners(owners, (all) => all.map(() => "stranger")),
  "a name has two owners": ({ owners }) =>
    withOwners(owners, ([first, ...others]) => [first, ...others.slice(1), "stranger"]),
  "a scan lacks a name": ({ owners }) => withOwners(owners, ([, ...others]) => [undefined, ...others]),
  "a replica's digest differs": ({ replicas }) => ({
    replicas: replicas.map((head, i) => (i === 0 ? { ...head, digest: otherDigest(head.digest) } : head)),
  }),
  "a replica is ahead of the log": ({ replicas, log }) => ({
    replicas: replicas.map((head) => ({ ...head, sequence: log.head.sequence + 1 })),
  }),
  "a coin too many is shown": ({ coins }) => ({
    coins: new Map([...coins].map(([party, coin], i) => [party, i === 0 ? coin + 1n : coin])),
  }),
};

/** Things that must not be, and that no check would notice in these records. Their own problems are left out. */
export function listUnnoticed(collected: Collected): readonly string[] {
  const known = new Set(listProblems(collected));
  return Object.entries(PLANTED).flatMap(([what, plant]) => {
    const found = listProblems({ ...collected, ...plant(collected) });
    return found.some((problem) => !known.has(problem)) ? [] : [`no check notices that ${what}`];
  });
}

function acknowledged(submissions: readonly SubmissionRecord[]): SubmissionRecord {
  const found = submissions.find(({ state }) => state === "acknowledged");
  if (found === undefined) throw new Error("no submission was acknowledged");
  return found;
}

function withCount(log: CheckedLog, { commandId }: SubmissionRecord, count: number): Partial<Collected> {
  return { log: { ...log, accepted: new Map([...log.accepted, [commandId, count]]) } };
}

function replaceFirst(
  submissions: readonly SubmissionRecord[],
  chosen: SubmissionRecord,
  change: Partial<SubmissionRecord>,
): readonly SubmissionRecord[] {
  return submissions.map((each) => (each === chosen ? { ...each, ...change } : each));
}

type Owners = readonly (string | undefined)[];

function withOwners(owners: ShownOwners, change: (shown: Owners) => Owners): Partial<Collected> {
  return { owners: new Map([...owners].map(([name, shown], i) => [name, i === 0 ? change(shown) : shown])) };
}

function otherDigest(digest: string): string {
  return digest.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
}
