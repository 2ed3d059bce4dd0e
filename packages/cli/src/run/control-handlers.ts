/** The answers of a role's process to commands. */
import { spliceError } from "@callsign/api";
import { type ControlHandlers, Refusal, VERSION } from "@callsign/node";
import type { RunningRole } from "./role.ts";

export interface ControlledProcess {
  /** Null while it starts. */
  readonly running: () => RunningRole | null;
  readonly addresses: () => Readonly<Record<string, string>>;
}

export function controlHandlers(role: string, { running, addresses }: ControlledProcess): ControlHandlers {
  return {
    getStatus: async () => {
      const now = running();
      const missing = explainMissing(role, now);
      // A database that does not answer is the reason why it is not ready.
      const position = (await now?.position().catch(() => null)) ?? null;
      return { role, version: VERSION, ready: missing === null, missing, addresses: addresses(), position };
    },
    copyStore: async ({ body }) => {
      const now = running();
      if (now === null) throw new Refusal(spliceError(503, explainMissing(role, now) ?? ""));
      if (now.copyStore === undefined)
        throw new Refusal(spliceError(409, "the store is in a database on a server: read it there"));
      await now.copyStore(body.file);
      return undefined;
    },
  };
}

/** The reason why the role is not ready; null if it is. */
export function explainMissing(role: string, running: RunningRole | null): string | null {
  return running === null ? `the ${role} is starting; its log tells more` : running.missing();
}
