/** The process of a server that tests stop, kill and pause; null if it was not started. */
import type { ChildProcess } from "node:child_process";

/** Undefined if it is not running. */
export function runningId(child: ChildProcess | null): number | undefined {
  return child !== null && child.exitCode === null && child.signalCode === null ? child.pid : undefined;
}

/** Resolves when it has ended. */
export async function endServer(child: ChildProcess | null, signal: NodeJS.Signals): Promise<void> {
  if (child === null || runningId(child) === undefined) return;
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.kill(signal);
  // A paused process would keep another signal than SIGKILL.
  child.kill("SIGCONT");
  await ended;
}
