/** The answers of a role's process to commands. */
import { type ActivatedByEntry, type MemberKeys, type NetworkOfProcess, spliceError } from "@callsign/api";
import { formatTime } from "@callsign/ledger";
import {
  CannotStart,
  type ControlHandlers,
  type KeyRotation,
  Refusal,
  RotationRefused,
  VERSION,
} from "@callsign/node";
import type { AppendedActivation, NetworkStanding } from "@callsign/sv";
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
  const needActivation = () => {
    const { activation } = needRunning();
    if (activation !== undefined) return activation;
    throw new Refusal(spliceError(409, `a ${role} activates no protocol version: ask the process of an SV`));
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
    getNetwork: async () => toNetwork(await needActivation().show().catch(refuse)),
    activateVersion: async ({ body }) => toActivated(await needActivation().activate(body).catch(refuse)),
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
  const isFinal = error instanceof RotationRefused || error instanceof CannotStart;
  throw new Refusal(spliceError(isFinal ? 409 : 503, reason));
}

function toNetwork({ network, protocolVersion, programVersions, now }: NetworkStanding): NetworkOfProcess {
  return {
    network,
    protocolVersion: Number(protocolVersion),
    programVersions: programVersions.map(Number),
    now: formatTime(now),
  };
}

function toActivated({ version, entry, signedBy, without }: AppendedActivation): ActivatedByEntry {
  return {
    version: Number(version),
    before: entry && Number(entry.before),
    sequence: entry?.sequence ?? null,
    ...{ signedBy: [...signedBy], without: [...without] },
  };
}

/** The reason why the role is not ready; null if it is. `awaited`: what its start waits for. */
export function explainMissing(
  role: string,
  running: RunningRole | null,
  awaited: string | null,
): string | null {
  return running === null ? (awaited ?? `the ${role} is starting; its log tells more`) : running.missing();
}
