/** `callsign watch`: changes of names while they happen. A lost connection goes on behind the last change. */
import type { NameChange } from "@callsign/api";
import { HttpError, parseJsonText } from "@callsign/api";
import { Backoff, sleep } from "@callsign/node";
import { openConnection } from "../networks/connection.ts";
import type { CommandCall } from "../networks/network-command.ts";
import { CommandFailure, EXIT } from "../output/exit-code.ts";
import { describeChange } from "./describe-entry.ts";
import { fullNameOf, openLookups } from "./lookups.ts";
import { readEvents } from "./read-events.ts";

/** Failures in a row, each with another scan if there are several, before the watch ends. */
const MOST_FAILURES = 8;
const BACKOFF = { firstMilliseconds: 100, longestMilliseconds: 5000 };

interface Watch {
  readonly scanUrls: readonly string[];
  readonly filter: Readonly<Record<string, string>>;
  /** The offset of the last change that was printed, or where to begin. */
  after: string | undefined;
  failures: number;
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
    failures: 0,
  };
  const backoff = new Backoff(BACKOFF);
  call.progress.begin("waiting for changes; Ctrl-C ends it");
  while (!call.interrupted.aborted) {
    try {
      await follow(watch, call);
      watch.failures = 0;
      backoff.reset();
    } catch (error) {
      if (call.interrupted.aborted) break;
      if ([HttpError, CommandFailure, TypeError].some((kind) => error instanceof kind)) throw error;
      if (++watch.failures > MOST_FAILURES) throw explainLoss(watch, error);
      await sleep(backoff.next(), { timers: call.host.timers, signal: call.interrupted });
    }
  }
  return EXIT.interrupted;
}

async function readFilter(
  { words: [given] }: CommandCall,
  lookups: () => ReturnType<typeof openLookups>,
): Promise<Readonly<Record<string, string>>> {
  if (given === undefined) return {};
  return given.includes("::") ? { party: given } : { name: await fullNameOf(lookups(), given) };
}

/** Resolves when the scan ends the stream. */
async function follow(watch: Watch, call: CommandCall): Promise<void> {
  const { scanUrls, filter, failures } = watch;
  const scanUrl = scanUrls[failures % scanUrls.length] ?? "";
  const query = new URLSearchParams({
    ...filter,
    ...(watch.after === undefined ? {} : { after: watch.after }),
  });
  const url = `${scanUrl}/ext/v1/names/changes?${query}`;
  const headers = { accept: "text/event-stream" };
  const response = await call.fetch(url, { headers, signal: call.interrupted });
  if (response.status !== 200) {
    const text = (await response.text()).slice(0, 1000);
    throw new HttpError({ operation: "listNameChanges", url }, response.status, parseJsonText(text) ?? text);
  }
  for await (const { id, data } of readEvents(response)) {
    const change = parseJsonText(data) as unknown as NameChange;
    watch.after = id;
    watch.failures = 0;
    call.progress.clear();
    call.printer.printLine(change, (paint) => describeChange(change, paint));
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
