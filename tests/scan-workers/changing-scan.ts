/** The process of a scan with workers whose names change, and its workers. */
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { Child } from "../support/child-process.ts";

interface Listening {
  readonly url: string;
  /** The same answers, from the process that writes. */
  readonly general: string;
  readonly metrics: string;
  readonly parties: readonly string[];
}

const SCRIPT = new URL("./changing-node.ts", import.meta.url).pathname;

export class ChangingScan {
  readonly child: Child;
  readonly listening: Listening;

  private constructor(child: Child, listening: Listening) {
    this.child = child;
    this.listening = listening;
  }

  /** Until the caller ends its process. */
  static async start({ seed }: { readonly seed: number }, atEnd: AtEnd): Promise<ChangingScan> {
    const child = new Child(SCRIPT, temporaryFolder(atEnd), String(seed));
    atEnd(() => child.kill());
    let lines = 1;
    for (;;) {
      const said = linesOf(await child.said(lines++));
      const found = said.find((line) => line["kind"] === "listening");
      if (found !== undefined) return new ChangingScan(child, found as unknown as Listening);
    }
  }

  /** The process ids of all workers so far, the first ones first. */
  async workers(count: number): Promise<readonly number[]> {
    const list = () => listWorkers(this.child.errors);
    await until(() => list().length >= count, `${count} workers have started`);
    return list();
  }

  /** The number of workers that serve. */
  async serving(): Promise<number> {
    const text = await (await fetch(`${this.listening.metrics}/metrics`)).text();
    return Number(/^callsign_scan_workers\{.*\} (\d+)/m.exec(text)?.[1]);
  }
}

/** The process ids of workers in a log. */
export function listWorkers(log: string): readonly number[] {
  return linesOf(log).flatMap(({ msg, pid }) => (msg === "worker started" ? [Number(pid)] : []));
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function linesOf(output: string): readonly Record<string, unknown>[] {
  return output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
}
