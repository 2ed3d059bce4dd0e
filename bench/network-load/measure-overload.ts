/**
 * Twice as many submissions as the network can take, whether or not those before were answered: what it still does, how soon a
 * single caller is served as before once it is over, and how much memory it took.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HttpError } from "../../packages/api/src/index.ts";
import { median, type Section } from "../measure.ts";
import { measureCapacity, openLedgers, sleep } from "./measure-network.ts";
import { residentMegabytes } from "./resident-memory.ts";
import { RunningNetwork } from "./running-network.ts";
import { openSubmitter } from "./submit-until-stopped.ts";

const TIMES = 2;
const SECONDS = 15;
const STEP_MILLISECONDS = 10;
/** Each has a party of its own. */
const SUBMITTERS = 60;
const LEAST_GOODPUT = 0.8;
const MOST_SECONDS_AFTER = 5;
const MOST_MEGABYTES = 600;
/** A caller is served as before if a submission takes no longer than this many times what it took. */
const AS_BEFORE = 3;

interface Counts {
  done: number;
  shed: number;
  failed: number;
}

type Submit = () => Promise<void>;

export async function measureOverload(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), "callsign-overload-"));
  const network = await RunningNetwork.start(folder);
  try {
    const submitters = await openSubmitters(network);
    const capacity = await measureCapacity(network);
    const single = submitters[0] as Submit;
    const quiet = await quietMilliseconds(single);
    const counts: Counts = { done: 0, shed: 0, failed: 0 };
    let megabytes = 0;
    const watch = setInterval(() => {
      megabytes = Math.max(megabytes, residentMegabytes(network.pid));
    }, 200);
    const goodput = await offer(submitters, capacity * TIMES, counts);
    const after = await secondsUntilAsBefore(single, quiet * AS_BEFORE);
    clearInterval(watch);
    const share = goodput / capacity;
    return {
      rows: [
        {
          what: `acknowledged at ${TIMES} times the capacity`,
          ...{ value: goodput, unit: "a second", floor: capacity },
          ...{ target: `≥ ${LEAST_GOODPUT} ×`, met: share >= LEAST_GOODPUT },
        },
        {
          what: "served as before after it",
          ...{ value: after, unit: "s", target: `≤ ${MOST_SECONDS_AFTER}`, met: after <= MOST_SECONDS_AFTER },
        },
        {
          what: "memory meanwhile",
          ...{
            value: megabytes,
            unit: "MB",
            target: `≤ ${MOST_MEGABYTES}`,
            met: megabytes <= MOST_MEGABYTES,
          },
        },
      ],
      note:
        `Overload: ${Math.round(capacity * TIMES)} submissions a second for ${SECONDS} s; ${counts.done} were acknowledged, ` +
        `${counts.shed} refused for now, ${counts.failed} failed otherwise. The floor is what 32 callers get who wait for each answer.`,
    };
  } finally {
    await network.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function openSubmitters(network: RunningNetwork): Promise<readonly Submit[]> {
  // Node's own fetch opens as many connections as there are calls: nothing waits in this process.
  const ledgers = openLedgers(network, () => fetch);
  const submitters: Submit[] = [];
  for (let i = 0; i < SUBMITTERS; i++)
    submitters.push(await openSubmitter(ledgers[i % ledgers.length] as (typeof ledgers)[number]));
  return submitters;
}

async function quietMilliseconds(submit: Submit): Promise<number> {
  await sleep(2);
  const times: number[] = [];
  for (let i = 0; i < 20; i++) times.push(await millisecondsOf(submit));
  return median(times);
}

async function millisecondsOf(submit: Submit): Promise<number> {
  const began = performance.now();
  await submit();
  return performance.now() - began;
}

/** Acknowledged a second, while so many a second are begun. */
async function offer(submitters: readonly Submit[], rate: number, counts: Counts): Promise<number> {
  const began = performance.now();
  let begun = 0;
  while (performance.now() - began < SECONDS * 1000) {
    const wanted = ((performance.now() - began) / 1000) * rate;
    for (; begun < wanted; begun++) void submitOnce(submitters[begun % SUBMITTERS] as Submit, counts);
    await sleep(STEP_MILLISECONDS / 1000);
  }
  return (counts.done * 1000) / (performance.now() - began);
}

async function submitOnce(submit: Submit, counts: Counts): Promise<void> {
  try {
    await submit();
    counts.done++;
  } catch (error) {
    if (error instanceof HttpError && isShed(error)) counts.shed++;
    else counts.failed++;
  }
}

/** Canton refuses with 409 what a participant has no room for. */
function isShed({ status, body }: HttpError): boolean {
  return status === 429 || status === 503 || JSON.stringify(body).includes("PARTICIPANT_BACKPRESSURE");
}

async function secondsUntilAsBefore(submit: Submit, most: number): Promise<number> {
  const began = performance.now();
  for (let good = 0; good < 5 && performance.now() - began < 60_000; ) {
    const counts: Counts = { done: 0, shed: 0, failed: 0 };
    const taken = await millisecondsOf(() => submitOnce(submit, counts));
    good = counts.done === 1 && taken <= most ? good + 1 : 0;
    if (counts.done === 0) await sleep(0.1);
  }
  return (performance.now() - began) / 1000;
}
