/** A server in a process of its own, on the first core, or others, where that can be chosen, and its processor time. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";

const canChooseCores = availableParallelism() > 1 && spawnSync("taskset", ["-V"]).status === 0;

/** Moves this process, the load, to the second core. */
export function leaveFirstCore(): void {
  if (canChooseCores) spawnSync("taskset", ["-a", "-c", "-p", "1", String(process.pid)]);
}

/** Moves a server that was not started here to the first core. */
export function moveToFirstCore(pid: number): void {
  if (canChooseCores) spawnSync("taskset", ["-a", "-c", "-p", "0", String(pid)]);
}

/** In the server's process. The processor time is this process's own if it is not given. */
export function answerParent(port: number, processorTime: () => Promise<number> = ownTime): void {
  process.on("message", () => void processorTime().then((time) => process.send?.(time)));
  process.once("disconnect", () => process.exit(0));
  process.send?.(port);
}

async function ownTime(): Promise<number> {
  const { user, system } = process.cpuUsage();
  return user + system;
}

export class MeasuredServer {
  readonly port: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  static async start(
    file: string,
    options: readonly (string | number)[],
    cores = "0",
  ): Promise<MeasuredServer> {
    const command = [process.execPath, join(import.meta.dirname, file), ...options.map(String)];
    const [name = "", ...rest] = canChooseCores ? ["taskset", "-c", cores, ...command] : command;
    const child = spawn(name, rest, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    return new MeasuredServer(child, await heard(child));
  }

  /** Microseconds of processor time so far. */
  async processorTime(): Promise<number> {
    this.#child.send("processor time");
    return heard(this.#child);
  }

  stop(): void {
    this.#child.disconnect();
  }
}

function heard(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const end = (code: number | null) => reject(new Error(`the server ended with ${code}`));
    child.once("exit", end);
    child.once("message", (message) => {
      child.off("exit", end);
      resolve(Number(message));
    });
  });
}
