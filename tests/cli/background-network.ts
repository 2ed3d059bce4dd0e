/** A local network that `callsign up` has started in the background, and commands that find it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { Child } from "../support/child-process.ts";
import { type CommandOutcome, runHere } from "./run-here.ts";

/** The addresses and tokens by which commands find the network. */
interface NetworkRecord {
  readonly nodes: readonly object[];
  readonly svs: readonly object[];
}

const MAIN = join(import.meta.dirname, "../../packages/cli/src/main.ts");

/** A command in a process of its own. */
export function startCommand(...words: readonly string[]): Child {
  return new Child(MAIN, ...words);
}

export class BackgroundNetwork {
  readonly dataFolder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The answer of `callsign up`. */
  readonly answer: {
    readonly pid: number;
    readonly developmentUrl: string;
    readonly nodes: readonly {
      readonly user: string;
      readonly token: string;
      readonly validatorUrl: string;
    }[];
    readonly svs: readonly { readonly scanUrl: string }[];
  };

  private constructor(folder: string, dataFolder: string, answer: BackgroundNetwork["answer"]) {
    this.dataFolder = dataFolder;
    this.environment = { CALLSIGN_DATA: dataFolder, XDG_STATE_HOME: join(folder, "state") };
    this.answer = answer;
  }

  /** On free ports. Coin comes and goes by the commands of a test alone. */
  static async start(atEnd: AtEnd): Promise<BackgroundNetwork> {
    const folder = temporaryFolder(atEnd);
    const dataFolder = join(folder, "net");
    const options = ["--any-ports", "--data", dataFolder, "--pause", "record-liveness"];
    const { code, output, errors } = await startCommand("up", ...options).ended;
    if (code !== 0) throw new Error(`callsign up ended with ${code}: ${errors}`);
    const network = new BackgroundNetwork(
      folder,
      dataFolder,
      JSON.parse(output) as BackgroundNetwork["answer"],
    );
    atEnd(async () => void (await network.run("down")));
    return network;
  }

  /** A data folder where commands find this network with other addresses or tokens. */
  changeRecord(change: (record: NetworkRecord) => Partial<NetworkRecord>): string {
    const dataFolder = join(temporaryFolder(), "net");
    const record = JSON.parse(readFileSync(`${this.dataFolder}.json`, "utf8")) as NetworkRecord;
    writeFileSync(`${dataFolder}.json`, JSON.stringify({ ...record, ...change(record) }));
    return dataFolder;
  }

  /** In this process, with the output of a pipe. */
  run(...words: readonly string[]): Promise<CommandOutcome> {
    return runHere(words, this.environment);
  }

  /** The lines that people read. */
  async read(...words: readonly string[]): Promise<string> {
    const { exitCode, said, complained } = await this.run(...words, "--text");
    if (exitCode !== 0) throw new Error(`callsign ${words.join(" ")} ended with ${exitCode}: ${complained}`);
    return said;
  }

  /** The document that programs read. */
  async ask<T>(...words: readonly string[]): Promise<T> {
    const { exitCode, said, complained } = await this.run(...words);
    if (exitCode !== 0) throw new Error(`callsign ${words.join(" ")} ended with ${exitCode}: ${complained}`);
    return JSON.parse(said) as T;
  }
}
