/** Runs participants and validators that are killed: in this process, where a kill is a crash of their host, or in their own. */
import { join } from "node:path";
import { silentLog } from "@callsign/node";
import { startValidator, type ValidatorConfig } from "@callsign/validator";
import {
  type ParticipantConfig,
  startParticipant,
} from "../../packages/participant/src/start-participant.ts";
import { Child } from "../support/child-process.ts";
import { CrashingHost } from "../support/crashing-host.ts";

/** The settings of a role as JSON, so that a process can read them. */
export type RoleSettings =
  | { readonly role: "participant"; readonly config: Omit<ParticipantConfig, "log"> }
  | {
      readonly role: "validator";
      readonly config: Omit<ValidatorConfig, "log" | "serviceUser">;
      readonly userId: string;
      readonly token: string;
    };

/** Starts a role. Resolves when the role listens, with a function that kills it. */
export type RunRole = (settings: RoleSettings) => Promise<() => Promise<void>>;

export const runHere: RunRole = async (settings) => {
  const crashing = new CrashingHost({ visit: () => false });
  await startRole(settings, crashing);
  return async () => crashing.crash();
};

const SCRIPT = join(import.meta.dirname, "role-process.ts");

export const runApart: RunRole = async (settings) => {
  const child = new Child(SCRIPT, JSON.stringify(settings));
  await child.said();
  return () => child.kill();
};

export async function startRole(settings: RoleSettings, crashing?: CrashingHost): Promise<void> {
  if (settings.role === "participant") {
    const { config } = settings;
    await startParticipant({ ...config, log: silentLog, ...(crashing && { system: crashing.host }) });
  } else {
    const { config, userId, token } = settings;
    const serviceUser = { userId, token: () => token };
    await startValidator({ ...config, serviceUser, log: silentLog }, crashing?.host);
  }
}
