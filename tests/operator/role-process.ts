/** `callsign <role>` in a process of its own, on a machine of its own, from files that an operator would write. */
import type { ChildProcess } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import type { Fetch } from "../../packages/api/src/index.ts";
import { until } from "../../packages/node/testing/until.ts";
import { type Machine, spawnOn } from "../support/machines.ts";
import { mergeTrees } from "../support/merge-trees.ts";

/** The command of this repository. */
export const PRESENT = join(import.meta.dirname, "../../packages/cli/src/main.ts");

const READY_MILLISECONDS = 60_000;

export interface RoleFiles {
  readonly role: "sv" | "scan" | "participant" | "validator";
  readonly folder: string;
  readonly values: object;
  /** By the secret's name, then by key. */
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly environment?: Readonly<Record<string, string>>;
}

export class RoleProcess {
  readonly machine: Machine;
  readonly #files: RoleFiles;
  #values: object;
  /** The program of the next start and of commands. */
  program: string = PRESENT;
  #process: ChildProcess | null = null;
  #output = "";

  constructor(machine: Machine, files: RoleFiles) {
    this.machine = machine;
    this.#files = files;
    this.#values = files.values;
    const { folder, values, secrets = {} } = files;
    mkdirSync(folder, { recursive: true });
    writeFileSync(this.valuesFile, stringify(values));
    for (const [secret, keys] of Object.entries(secrets)) {
      mkdirSync(join(folder, "secrets", secret), { recursive: true });
      for (const [key, text] of Object.entries(keys))
        writeFileSync(join(folder, "secrets", secret, key), text);
    }
  }

  /** Other values for the next start: maps are merged, everything else is replaced. */
  change(values: object): void {
    this.#values = mergeTrees(this.#values, values);
    writeFileSync(this.valuesFile, stringify(this.#values));
  }

  get valuesFile(): string {
    return join(this.#files.folder, "values.yaml");
  }

  get dataFolder(): string {
    return join(this.#files.folder, "data");
  }

  /** Resolves with the exit code and the output of a command on its machine. */
  run(...words: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
    let output = "";
    const child = this.#spawn(words, (chunk) => {
      output += chunk;
    });
    return new Promise((resolve) => child.once("close", (code) => resolve({ code, output })));
  }

  /** Resolves with its exit code when it has ended. */
  async ended(): Promise<number | null> {
    const child = this.#process;
    if (child === null || !this.isRunning) return child?.exitCode ?? null;
    return new Promise((resolve) => child.once("close", (code) => resolve(code)));
  }

  /** All that it has printed. */
  get output(): string {
    return this.#output;
  }

  /** The validator's health is on its API port, which may speak TLS. */
  get healthUrl(): string {
    const { role, values } = this.#files;
    const hasTls = (values as { callsign?: { tls?: object } }).callsign?.tls !== undefined;
    return `${role === "validator" && hasTls ? "https" : "http"}://${this.machine.address}:5003`;
  }

  start(): void {
    const { role, folder } = this.#files;
    const given = [role, "-f", this.valuesFile, "--secrets", join(folder, "secrets")];
    this.#process = this.#spawn(given, (chunk) => {
      this.#output += chunk;
    });
  }

  #spawn(words: readonly string[], onOutput: (chunk: string) => void): ChildProcess {
    const { folder, environment = {} } = this.#files;
    const child = spawnOn(
      this.machine,
      [process.execPath, "--disable-warning=ExperimentalWarning", this.program, ...words],
      { stdio: ["ignore", "pipe", "pipe"], cwd: folder, env: { PATH: process.env["PATH"], ...environment } },
    );
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", onOutput);
    return child;
  }

  /** The reason why it is not ready; empty if it is, and null if it does not answer. */
  async missing(fetch: Fetch): Promise<string | null> {
    const answer = await fetch(`${this.healthUrl}/readyz`, {}).catch(() => null);
    return answer && (answer.headers.get("x-callsign-missing") ?? "");
  }

  /** Resolves when it answers that it is ready. */
  async ready(fetch: Fetch): Promise<void> {
    const { role } = this.#files;
    const url = `${this.healthUrl}/readyz`;
    let missing = "it does not answer";
    const isReady = async () => {
      if (!this.isRunning) throw new Error(`the ${role} has ended:\n${this.#output}`);
      const answer = await fetch(url, {}).catch((error: unknown) => String(error));
      if (typeof answer === "string") missing = answer;
      else missing = answer.headers.get("x-callsign-missing") ?? "";
      return typeof answer !== "string" && answer.status === 200;
    };
    await until(isReady, "it is ready", READY_MILLISECONDS).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${missing}\n${this.#output.slice(-5000)}`, { cause: error });
    });
  }

  /** Undefined if it is not running. */
  get processId(): number | undefined {
    return this.isRunning ? this.#process?.pid : undefined;
  }

  get isRunning(): boolean {
    const child = this.#process;
    return child !== null && child.exitCode === null && child.signalCode === null;
  }

  /** Resolves with its exit code when it is gone. */
  async stop(signal: NodeJS.Signals): Promise<number | null> {
    const ended = this.ended();
    if (this.isRunning) this.#process?.kill(signal);
    return ended;
  }
}
