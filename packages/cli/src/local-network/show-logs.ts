/** `callsign logs`: the last lines of the local network's log, and further ones while they are written. */
import { formatReadable, sleep } from "@callsign/node";
import { dataFolderOf } from "../networks/find-local-network.ts";
import type { CommandCall } from "../networks/network-command.ts";
import { readCount } from "../networks/read-count.ts";
import { CommandFailure, EXIT } from "../output/exit-code.ts";

const DEFAULT_LINES = 50;
/** The part at the end of the file in which the last lines are looked for. */
const TAIL_BYTES = 8 * 1024 * 1024;
const LOOK_MILLISECONDS = 200;

export async function showLogs(call: CommandCall): Promise<number> {
  const { files, timers } = call.host;
  const logFile = `${dataFolderOf(call)}.log`;
  const size = files.size(logFile);
  if (size === null)
    throw new CommandFailure(
      EXIT.notFound,
      `there is no log ${logFile}: no local network ran with this data folder`,
    );
  const count = readCount("lines", call) ?? DEFAULT_LINES;
  const start = Math.max(0, size - TAIL_BYTES);
  const tail = await readFrom(logFile, start, call);
  // A tail begins within a line.
  const lines = tail.text.split("\n").slice(start === 0 ? 0 : 1, -1);
  for (const line of lines.slice(-count)) printLogLine(line, call);
  let place = tail.end;
  while (call.own["follow"] === true && !call.interrupted.aborted) {
    await sleep(LOOK_MILLISECONDS, { timers, signal: call.interrupted });
    const length = files.size(logFile) ?? 0;
    // The file of an earlier run was deleted.
    if (length < place) place = 0;
    if (length === place) continue;
    const { text, end } = await readFrom(logFile, place, call);
    place = end;
    for (const line of text.split("\n").slice(0, -1)) printLogLine(line, call);
  }
  return EXIT.done;
}

/** Whole lines from a byte on; `end` is the byte behind them. */
async function readFrom(
  path: string,
  start: number,
  { host }: CommandCall,
): Promise<{ text: string; end: number }> {
  const chunks: Buffer[] = [];
  for await (const chunk of host.files.openRead(path, start)) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const length = bytes.lastIndexOf("\n") + 1;
  return { text: bytes.subarray(0, length).toString("utf8"), end: start + length };
}

function printLogLine(line: string, { printer, terminal }: CommandCall): void {
  if (printer.format === "json") terminal.write(`${line}\n`);
  else terminal.write(readableOf(line));
}

/** A line that was cut off, as on a full disk, is no JSON. */
function readableOf(line: string): string {
  try {
    return formatReadable(line);
  } catch {
    return `${JSON.stringify(line)}\n`;
  }
}
