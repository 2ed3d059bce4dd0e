/** A participant in a process of its own, so that it can be killed: `node participant-process.ts <config as JSON>`. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createLog } from "../../packages/node/src/observability/log.ts";
import {
  type ParticipantConfig,
  startParticipant,
} from "../../packages/participant/src/start-participant.ts";

interface ProcessConfig {
  readonly dataFolder: string;
  readonly sequencers: readonly string[];
  readonly auth: ParticipantConfig["auth"];
  readonly adminUsers: readonly string[];
}

export interface ParticipantProcess {
  readonly url: string;
  /** At once, without a chance to tidy up. */
  readonly kill: () => Promise<void>;
}

const SELF = fileURLToPath(import.meta.url);

/** Resolves when it follows its network. */
export async function spawnParticipant(config: ProcessConfig): Promise<ParticipantProcess> {
  const child = spawn(process.execPath, [SELF, JSON.stringify(config)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const url = await firstLine(child);
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  return { url, kill };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      said += chunk;
      if (said.includes("\n")) resolve(said.trim());
    });
    child.once("close", (code) => reject(new Error(`the participant ended with ${code}`)));
  });
}

async function serve(config: ProcessConfig): Promise<void> {
  const participant = await startParticipant({
    ...config,
    nodeIdentifier: "participant",
    host: "127.0.0.1",
    port: 0,
    log: createLog({ level: "silent" }),
  });
  while (!participant.isReady()) await new Promise((resolve) => setTimeout(resolve, 5));
  console.log(participant.url);
}

if (process.argv[1] === SELF) await serve(JSON.parse(process.argv[2] ?? "") as ProcessConfig);
