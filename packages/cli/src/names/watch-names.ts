/**
 * `callsign watch`: changes of names while they happen. A connection that is lost, refused or silent goes on behind the last
 * change with the next scan: offsets are those of the log, which all scans follow.
 */
import type { NameChange } from "@callsign/api";
import { HttpError, parseJsonText } from "@callsign/api";
import { Backoff, sleep, type Timer } from "@callsign/node";
import { openConnection } from "../networks/connection.ts";
import type { CommandCall } from "../networks/network-command.ts";
import { CommandFailure, EXIT } from "../output/exit-code.ts";
import { describeChange } from "./describe-entry.ts";
import { fullNameOf, openLookups } from "./lookups.ts";
import { readEvents } from "./read-events.ts";

/** Failures in a row, each with another scan if there are several, before the watch ends. */
const MOST_FAILURES = 8;
const FIRST_ANSWER_MILLISECONDS = 10_000;
/** A quiet stream has a comment every 15 seconds. */
const SILENCE_MILLISECONDS = 45_000;
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
    if (isFinal(loss)) throw loss;
    watch.turn++;
    if (++watch.failures > MOST_FAILURES) throw explainLoss(watch, loss);
    await sleep(watch.backoff.next(), { timers: call.host.timers, signal: call.interrupted });
  }
  return EXIT.interrupted;
}

/** Another scan would answer the same. */
function isFinal(error: unknown): boolean {
  if (error instanceof HttpError) return error.status < 500 && error.status !== 429;
  return error instanceof CommandFailure || error instanceof TypeError;
}

async function readFilter(
  { words: [given] }: CommandCall,
  lookups: () => ReturnType<typeof openLookups>,
): Promise<Readonly<Record<string, string>>> {
  if (given === undefined) return {};
  return given.includes("::") ? { party: given } : { name: await fullNameOf(lookups(), given) };
}

/** Resolves with the reason when the scan ends the stream. */
async function follow(watch: Watch, call: CommandCall): Promise<Error> {
  const silence = new Silence(call);
  try {
    const response = await openStream(watch, call, silence.signal);
    for await (const { id, data } of readEvents(response)) {
      silence.begin(SILENCE_MILLISECONDS);
      watch.failures = 0;
      watch.backoff.reset();
      if (id !== "") watch.after = id;
      if (data === "") continue;
      const change = parseJsonText(data) as unknown as NameChange;
      call.progress.clear();
      call.printer.printLine(change, (paint) => describeChange(change, paint));
    }
    return new Error("the scan has ended the stream");
  } finally {
    silence.end();
  }
}

async function openStream(watch: Watch, call: CommandCall, signal: AbortSignal): Promise<Response> {
  const { scanUrls, filter, after, turn } = watch;
  const query = new URLSearchParams({ ...filter, ...(after === undefined ? {} : { after }) });
  const url = `${scanUrls[turn % scanUrls.length] ?? ""}/ext/v1/names/changes?${query}`;
  const response = await call.fetch(url, { headers: { accept: "text/event-stream" }, signal });
  if (response.status === 200) return response;
  const text = (await response.text()).slice(0, 1000);
  throw new HttpError({ operation: "listNameChanges", url }, response.status, parseJsonText(text) ?? text);
}

/** Aborts a stream that sends nothing for too long. */
class Silence {
  readonly signal: AbortSignal;
  readonly #late = new AbortController();
  readonly #timers: CommandCall["host"]["timers"];
  #timer: Timer | undefined;

  constructor({ host, interrupted }: CommandCall) {
    this.#timers = host.timers;
    this.signal = AbortSignal.any([this.#late.signal, interrupted]);
    this.begin(FIRST_ANSWER_MILLISECONDS);
  }

  /** Counts from now on. */
  begin(milliseconds: number): void {
    this.end();
    this.#timer = this.#timers.set(() => this.#late.abort(new Error("the scan is silent")), milliseconds);
  }

  end(): void {
    this.#timers.clear(this.#timer);
  }
}

function explainLoss({ after, scanUrls }: Watch, cause: unknown): CommandFailure {
  const resume =
    after === undefined ? "" : `. Go on behind the last change later: callsign watch --after ${after}`;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CommandFailure(
    EXIT.unreachable,
    `${scanUrls.join(", ")}: no scan answers (${reason})${resume}`,
    { cause },
  );
}
