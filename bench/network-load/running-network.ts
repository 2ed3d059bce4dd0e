/** A local network in a process of its own, on free ports, for as long as a benchmark needs it. */
import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { MEMORY_SETTINGS, NODE_OPTIONS } from "../../packages/cli/src/local-network/process-memory.js";
import type { NetworkDescription } from "../../packages/localnet/src/summary.ts";

const MAIN = join(import.meta.dirname, "../../packages/localnet/src/main.ts");

export class RunningNetwork {
  readonly description: NetworkDescription;
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;

  private constructor(child: ChildProcess, description: NetworkDescription, ended: Promise<void>) {
    this.#child = child;
    this.description = description;
    this.pid = child.pid ?? 0;
    this.#ended = ended;
  }

  static async start(folder: string): Promise<RunningNetwork> {
    // The options of Node with which scripts/setup.js runs a benchmark, and those that it adds for `npm start`.
    const args = [...process.execArgv, ...NODE_OPTIONS, MAIN, "--any-ports", "--json", "--data", folder];
    const child = spawn(process.execPath, args, {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...MEMORY_SETTINGS, ...process.env },
    });
    // A benchmark that fails must not leave it behind.
    const kill = () => void child.kill("SIGKILL");
    process.once("exit", kill);
    const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
    void ended.then(() => process.off("exit", kill));
    const description = await new Promise<NetworkDescription>((resolve, reject) => {
      let said = "";
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        said += chunk;
        if (said.includes("\n")) resolve(JSON.parse(said) as NetworkDescription);
      });
      child.once("close", (code) => reject(new Error(`the network ended with ${code}`)));
    });
    return new RunningNetwork(child, description, ended);
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.#ended;
    rmSync(this.description.logFile, { force: true });
  }
}
