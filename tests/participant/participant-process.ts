/** A participant in a process of its own, so that it can be killed: `node participant-process.ts <config as JSON>`. */
import { fileURLToPath } from "node:url";
import { createLog } from "../../packages/node/src/observability/log.ts";
import { until } from "../../packages/node/testing/until.ts";
import {
  type ParticipantConfig,
  startParticipant,
} from "../../packages/participant/src/start-participant.ts";
import { Child } from "../support/child-process.ts";

interface ProcessConfig {
  readonly dataFolder: string;
  readonly database?: NonNullable<ParticipantConfig["database"]>;
  readonly sequencers: readonly string[];
  readonly auth: ParticipantConfig["auth"];
  readonly adminUsers: readonly string[];
  readonly migrationId?: number;
  readonly migrating?: boolean;
  readonly previousDatabase?: NonNullable<ParticipantConfig["database"]>;
}

export interface ParticipantProcess {
  readonly url: string;
  /** At once, without a chance to tidy up. */
  readonly kill: () => Promise<void>;
}

const SELF = fileURLToPath(import.meta.url);

/** Says its address when it follows its network. */
export function beginParticipant(config: ProcessConfig): Child {
  return new Child(SELF, JSON.stringify(config));
}

/** Resolves when it follows its network. */
export async function spawnParticipant(config: ProcessConfig): Promise<ParticipantProcess> {
  const child = beginParticipant(config);
  return { url: (await child.said()).trim(), kill: () => child.kill() };
}

async function serve(config: ProcessConfig): Promise<void> {
  const participant = await startParticipant({
    ...config,
    nodeIdentifier: "participant",
    host: "127.0.0.1",
    port: 0,
    log: createLog({ level: "silent" }),
  });
  await until(() => participant.isReady(), "the participant is ready", 60_000);
  console.log(participant.url);
}

if (process.argv[1] === SELF) await serve(JSON.parse(process.argv[2] ?? "") as ProcessConfig);
