// Appends batches without end, from several writers at once, and writes a line for each that was acknowledged:
// `append-batches.ts <backend> <place> <mark>`. The mark makes the contents different from other runs'.
import { writeSync } from "node:fs";
import { systemHost } from "../../../packages/node/src/system-host.ts";
import { sleep } from "../../../packages/node/src/waiting/sleep.ts";
import type { OrderedLog } from "../../../packages/synchronizer/src/log/ordered-log.ts";
import { chainContents } from "../log-entries.ts";
import { type LogBackendName, openLog } from "../open-log.ts";

const [backend = "", place = "", mark = ""] = process.argv.slice(2);
const WRITERS = 4;

/** Each line is written at once, so that a kill does not lose it. A reader that is busy is waited for. */
async function say(line: string): Promise<void> {
  for (;;) {
    try {
      writeSync(1, line);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      await sleep(1, { timers: systemHost.timers });
    }
  }
}

async function write(log: OrderedLog, writer: number): Promise<void> {
  let head = await log.head();
  for (let i = 0; ; i++) {
    const contents = Array.from({ length: 1 + (i % 5) }, (_, j) => `${mark}/${writer}/${i}/${j}`);
    for (;;) {
      const batch = chainContents(head, contents);
      const answer = await log.append(batch);
      head = answer.appended ? batch.head : answer.head;
      if (answer.appended) break;
    }
    await say(`${head.sequence} ${head.entryHash}\n`);
  }
}

const log = await openLog(backend as LogBackendName, place);
await Promise.all(Array.from({ length: WRITERS }, (_, i) => write(log, i)));
