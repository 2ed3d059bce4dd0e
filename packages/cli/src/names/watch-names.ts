/**
 * `callsign watch`: changes of names while they happen. A connection that is lost, refused or silent goes on behind the last
 * change with the next scan: offsets are those of the log, which all scans follow.
 */
import {
  type CallFailure,
  check,
  HttpError,
  NameChange,
  parseJsonText,
  SchemaViolation,
  TransportError,
} from "@callsign/api";
import { Backoff, type Deadline, sleep, startDeadline } from "@callsign/node";
import { openConnection } from "../networks/connection.ts";
import { describeTransport } from "../networks/explain-call.ts";
import type { CommandCall } from "../networks/network-command.ts";
import { CommandFailure, EXIT } from "../output/exit-code.ts";
import { describeChange } from "./describe-entry.ts";
import { fullNameOf, openLookups } from "./lookups.ts";
import { readEvents, type SentEvent } from "./read-events.ts";

/** Failures in a row, each with another scan if there are several, before the watch ends. */
const MOST_FAILURES = 8;
const FIRST_ANSWER_MILLISECONDS = 10_000;
/** A quiet stream has a comment every 15 seconds. */
export const SILENCE_MILLISECONDS = 45_000;
const BACKOFF = { firstMilliseconds: 100, longestMilliseconds: 5000 };

interface Watch {
  readonly scanUrls: readonly string[];
  readonly filter: Readonly<Record<string, string>>;
  /** The offset of the last change that was printed, or where to begin. */
  after: string | undefined;
  /** The place of the scan in the list, round and round. */
  turn: number;
  /** Since a scan has sent anything. */
  failures: number;
  readonly backoff: Backoff;
}

export async function watchNames(call: CommandCall): Promise<number> {
  const connection = await openConnection(call);
  const { scanUrls } = connection;
  if (scanUrls.length === 0)
    throw new CommandFailure(
      EXIT.usage,
      "a validator does not hand on the changes of names: name a scan with --scan",
    );
  const after = call.own["after"];
  if (after !== undefined && !/^\d{1,18}$/.test(String(after)))
    throw new CommandFailure(EXIT.usage, `--after is the offset of a change, a number, not ${after}`);
  const watch: Watch = {
    scanUrls,
    filter: await readFilter(call, () => openLookups(connection)),
    after: after === undefined ? undefined : String(after),
    turn: 0,
    failures: 0,
    backoff: new Backoff(BACKOFF),
  };
  call.progress.begin("waiting for changes; Ctrl-C ends it");
  while (!call.interrupted.aborted) {
    const loss = await follow(watch, call).catch((error: unknown) => error);
    if (call.interrupted.aborted) break;
    if (!isOfOneScan(loss)) throw loss;
    watch.turn++;
    if (++watch.failures > MOST_FAILURES) throw explainLoss(watch, loss);
    await sleep(watch.backoff.next(), { timers: call.host.timers, signal: call.interrupted });
  }
  return EXIT.interrupted;
}

/** True if another scan may do better. Any other failure is a bug, or the answer of every scan. */
function isOfOneScan(error: unknown): error is CallFailure {
  if (error instanceof HttpError) return error.status >= 500 || error.status === 429;
  return error instanceof TransportError || error instanceof SchemaViolation;
}

async function readFilter(
  { words: [given] }: CommandCall,
  lookups: () => ReturnType<typeof openLookups>,
): Promise<Readonly<Record<string, string>>> {
  if (given === undefined) return {};
  return given.includes("::") ? { party: given } : { name: await fullNameOf(lookups(), given) };
}

/** Prints changes until the stream is lost. Throws the reason. */
async function follow(watch: Watch, call: CommandCall): Promise<never> {
  const { host, interrupted, printer, progress } = call;
  const deadline = startDeadline(FIRST_ANSWER_MILLISECONDS, { timers: host.timers, signals: [interrupted] });
  const site = { operation: "listNameChanges", url: formatUrl(watch) };
  try {
    for await (const { id, data } of receiveEvents(site, call, deadline)) {
      deadline.restart(SILENCE_MILLISECONDS);
      const change = data === "" ? null : check(NameChange, parseJsonText(data) ?? null);
      if (change?.ok === false)
        throw new SchemaViolation(site, "an event of the stream is no change of a name");
      watch.failures = 0;
      watch.backoff.reset();
      if (id !== "") watch.after = id;
      if (change === null) continue;
      progress.clear();
      printer.printLine(change.value, (paint) => describeChange(change.value, paint));
    }
    throw new TransportError({ site, failure: "network", problem: "the scan has ended the stream" });
  } finally {
    deadline.clear();
  }
}

function formatUrl({ scanUrls, filter, after, turn }: Watch): string {
  const query = new URLSearchParams({ ...filter, ...(after === undefined ? {} : { after }) });
  return `${scanUrls[turn % scanUrls.length] ?? ""}/ext/v1/names/changes?${query}`;
}

/** Throws an `HttpError` if the scan refuses, and a `TransportError` if it is not reached, breaks off or is silent. */
async function* receiveEvents(
  site: CallFailure["site"],
  { fetch }: CommandCall,
  { signal, isPast }: Deadline,
): AsyncGenerator<SentEvent> {
  try {
    const response = await fetch(site.url, { headers: { accept: "text/event-stream" }, signal });
    if (response.status === 200) return yield* readEvents(response);
    const text = (await response.text()).slice(0, 1000);
    throw new HttpError(site, response.status, parseJsonText(text) ?? text);
  } catch (cause) {
    if (cause instanceof HttpError) throw cause;
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new TransportError({ site, failure: isPast() ? "timeout" : "network", problem }, { cause });
  }
}

function explainLoss({ after, scanUrls }: Watch, cause: CallFailure): CommandFailure {
  const resume =
    after === undefined ? "" : `. Go on behind the last change later: callsign watch --after ${after}`;
  const reason = cause instanceof TransportError ? describeTransport(cause) : cause.message;
  return new CommandFailure(
    EXIT.unreachable,
    `${scanUrls.join(", ")}: no scan answers (${reason})${resume}`,
    { cause },
  );
}
