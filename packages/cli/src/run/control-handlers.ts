/** The answers of a role's process to commands. */
import { type MemberKeys, spliceError } from "@callsign/api";
import { type ControlHandlers, type KeyRotation, Refusal, RotationRefused, VERSION } from "@callsign/node";
import type { RunningRole } from "./role.ts";

export interface ControlledProcess {
  /** Null while it starts. */
  readonly running: () => RunningRole | null;
  /** The reason why it is not ready; null if it is. */
  readonly missing: () => string | null;
  readonly addresses: () => Readonly<Record<string, string>>;
}

export function controlHandlers(
  role: string,
  { running, missing: findMissing, addresses }: ControlledProcess,
): ControlHandlers {
  const needRunning = (): RunningRole => {
    const now = running();
    if (now === null) throw new Refusal(spliceError(503, findMissing() ?? ""));
    return now;
  };
  const needKeys = () => {
    const { keys } = needRunning();
    if (keys.length > 0) return keys;
    throw new Refusal(spliceError(409, `a ${role} has no keys of its own: it signs nothing`));
  };
  return {
    getStatus: async () => {
      const now = running();
      const missing = findMissing();
      // A database that does not answer is the reason why it is not ready.
      const position = (await now?.position().catch(() => null)) ?? null;
      return { role, version: VERSION, ready: missing === null, missing, addresses: addresses(), position };
    },
    copyStore: async ({ body }) => {
      const now = needRunning();
      if (now.copyStore === undefined)
        throw new Refusal(spliceError(409, "the store is in a database on a server: read it there"));
      await now.copyStore(body.file);
      return undefined;
    },
    showKeys: async () => ({ members: await eachKey(needKeys(), (keys) => keys.show()) }),
    rotateKeys: async ({ body }) => ({ members: await eachKey(needKeys(), (keys) => keys.rotate(body)) }),
  };
}

/** One member after the other: those behind one that fails stay as they are. */
async function eachKey(
  all: readonly KeyRotation[],
  ask: (keys: KeyRotation) => Promise<MemberKeys>,
): Promise<MemberKeys[]> {
  const answers: MemberKeys[] = [];
  for (const keys of all) answers.push(await ask(keys).catch(refuse));
  return answers;
}

function refuse(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new Refusal(spliceError(error instanceof RotationRefused ? 409 : 503, reason));
}

/** The reason why the role is not ready; null if it is. `awaited`: what its start waits for. */
export function explainMissing(
  role: string,
  running: RunningRole | null,
  awaited: string | null,
): string | null {
  return running === null ? (awaited ?? `the ${role} is starting; its log tells more`) : running.missing();
}
