/**
 * A participant in a process of its own that rotates its key and kills itself at a named point:
 * `node key-rotation-process.ts <config as JSON>`.
 */
import { fileURLToPath } from "node:url";
import { type Host, silentLog, systemHost } from "@callsign/node";
import { until } from "../../packages/node/testing/until.ts";
import {
  type ParticipantConfig,
  startParticipant,
} from "../../packages/participant/src/start-participant.ts";
import { Child } from "../support/child-process.ts";

export const KILL_POINTS = [
  "the new key is kept",
  "the first delegation is about to be sent",
  "the first delegation is in the log",
  "the second delegation is about to be sent",
  "the second delegation is in the log",
  "the new key is about to take the old one's place",
  "the new key has taken the old one's place",
] as const;
export type KillPoint = (typeof KILL_POINTS)[number];

type ProcessConfig = Pick<ParticipantConfig, "dataFolder" | "sequencers" | "auth" | "adminUsers"> & {
  readonly killPoint: KillPoint;
};

const SELF = fileURLToPath(import.meta.url);

/** Resolves when it has killed itself. */
export async function rotateAndDie(config: ProcessConfig): Promise<void> {
  const { signal, output, errors } = await new Child(SELF, JSON.stringify(config)).ended;
  if (signal !== "SIGKILL") throw new Error(`it was not killed at "${config.killPoint}": ${output}${errors}`);
}

/** The machine, which kills the process at that point. */
function deadlyHost(killPoint: KillPoint): Host {
  const dieAt = (point: KillPoint) => {
    if (point === killPoint) process.kill(process.pid, "SIGKILL");
  };
  const { files, http } = systemHost;
  return {
    ...systemHost,
    files: {
      ...files,
      write: (path, text) => {
        const isBeginning = text.includes("nextSigningKey");
        if (!isBeginning) dieAt("the new key is about to take the old one's place");
        files.write(path, text);
        dieAt(isBeginning ? "the new key is kept" : "the new key has taken the old one's place");
      },
    },
    http: {
      ...http,
      openClient: (options) => {
        const client = http.openClient(options);
        return {
          ...client,
          fetch: async (url, init) => {
            const [, serial] = /DelegateKeys.*?\\"(\d)\\",\[/.exec(String(init?.body)) ?? [];
            const which = serial === "2" ? "first" : "second";
            if (serial !== undefined) dieAt(`the ${which} delegation is about to be sent`);
            const answer = await client.fetch(url, init);
            if (serial !== undefined) dieAt(`the ${which} delegation is in the log`);
            return answer;
          },
        };
      },
    },
  };
}

async function rotate({ killPoint, ...config }: ProcessConfig): Promise<void> {
  const participant = await startParticipant({
    ...config,
    ...{ nodeIdentifier: "participant", host: "127.0.0.1", port: 0, log: silentLog },
    system: deadlyHost(killPoint),
  });
  await until(() => participant.isReady(), "the participant is ready", 60_000);
  await participant.keys.rotate({ replaceUnknown: false });
}

if (process.argv[1] === SELF) await rotate(JSON.parse(process.argv[2] ?? "") as ProcessConfig);
