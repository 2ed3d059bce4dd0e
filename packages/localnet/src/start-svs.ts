/** The SVs of the local network on one ordered log; the first of them founds the network. */
import { join } from "node:path";
import { type Closing, isDamage, loadMemberIdentity, SignatureChecks } from "@callsign/node";
import { type FoundingMember, type SvNode, signFounding, startSvNode, svPartyOf } from "@callsign/sv";
import type { SqliteLog } from "@callsign/synchronizer";

import { CannotStart } from "./cannot-start.ts";
import { logPath, SV_NAMES } from "./data-folder.ts";
import type { NetworkParts } from "./localnet-options.ts";
import { Misbehaviour } from "./misbehaviour.ts";
import { splitAutomations } from "./paused-automations.ts";
import { ADDRESS, NODE_NAMES } from "./ports.ts";
import { AUTH, NODE_SETTINGS, SERVICE_USER } from "./tokens.ts";

/** Of four SVs one may be faulty: three confirm. */
const MAX_FAULTY_SVS = 1;
/** Enough to try things out without buying traffic. */
const FREE_TRAFFIC_BYTES = 4_000_000_000n;

export interface StartedSvs {
  /** The SVs that started, in the order of their names. */
  readonly svs: readonly SvNode[];
  /** By the SV's name, one for each scan. */
  readonly misbehaviours: ReadonlyMap<string, Misbehaviour>;
  /** SVs that could not start, and why: the others go on without them. */
  readonly stopped: ReadonlyMap<string, string>;
}

export async function startSvs(
  parts: NetworkParts,
  orderedLog: SqliteLog,
  closing: Closing,
): Promise<StartedSvs> {
  const { dataFolder, host } = parts;
  // The SVs share the cache: one process checks each signature once.
  const shared = { orderedLog, checks: new SignatureChecks(), misbehaviours: new Map() };
  const isNew = (await orderedLog.head()).sequence === 0;
  const members: FoundingMember[] = [];
  const svs: SvNode[] = [];
  const stopped = new Map<string, string>();
  for (const [rank, name] of SV_NAMES.entries()) {
    try {
      const member = { name, identity: loadMemberIdentity(join(dataFolder, name), name, host) };
      members.push(member);
      svs.push(closing.add(await startSv(parts, member, rank, shared)));
    } catch (error) {
      if (isNew || !isDamage(error)) throw error;
      stopped.set(name, error instanceof Error ? error.message : String(error));
    }
  }
  checkEnough(stopped);
  if (isNew) {
    checkNotLost(parts, svs);
    await found(parts, members, svs);
  }
  return { svs, misbehaviours: shared.misbehaviours, stopped };
}

interface SharedParts {
  readonly orderedLog: SqliteLog;
  readonly checks: SignatureChecks;
  readonly misbehaviours: Map<string, Misbehaviour>;
}

async function startSv(
  parts: NetworkParts,
  member: FoundingMember & { readonly name: string },
  rank: number,
  { misbehaviours, ...shared }: SharedParts,
): Promise<SvNode> {
  const { dataFolder, host, clock, log, pausedAutomations = [] } = parts;
  const { name } = member;
  return startSvNode({
    ...member,
    user: NODE_SETTINGS.sv.walletUser,
    dataFolder: join(dataFolder, name),
    party: svPartyOf(member),
    ...{ ...shared, clock, rank },
    host: ADDRESS,
    system: host,
    ports: parts.ports.svs[rank] ?? { scan: 0, sequencer: 0, app: 0 },
    log: log.child({ node: name }),
    metrics: parts.metrics,
    interceptScan: (index) => {
      const misbehaviour = new Misbehaviour(index, host.timers);
      misbehaviours.set(name, misbehaviour);
      return misbehaviour;
    },
    pausedAutomations: splitAutomations(pausedAutomations).svs,
    app: {
      auth: AUTH,
      operators: [NODE_SETTINGS.sv.walletUser, SERVICE_USER],
      // The first SV sponsors the network's validators.
      expectedSecrets: rank === 0 ? NODE_NAMES.map((each) => NODE_SETTINGS[each].onboardingSecret) : [],
    },
  });
}

/** Throws if the SVs that are left cannot confirm anything. */
export function checkEnough(stopped: ReadonlyMap<string, string>): void {
  if (stopped.size <= MAX_FAULTY_SVS) return;
  const each = [...stopped].map(([name, reason]) => `${name} stopped: ${reason}`);
  throw new CannotStart(
    `${SV_NAMES.length - MAX_FAULTY_SVS} of ${SV_NAMES.length} SVs are needed. ${each.join("; ")}`,
  );
}

/** A log that is empty is founded, unless there is data that came from another one. */
function checkNotLost({ dataFolder, host }: NetworkParts, svs: readonly SvNode[]): void {
  const applied = Math.max(...svs.map(({ replica }) => replica.state.head.sequence));
  const left = host.files.list(dataFolder).filter((name) => NODE_NAMES.some((node) => node === name));
  if (applied === 0 && left.length === 0) return;
  throw new CannotStart(
    `the log ${logPath(dataFolder)} is gone or empty, but the network has data of ${applied || "its"} entries. ` +
      "The log cannot be rebuilt, because everything else is made from it: restore it from a copy",
  );
}

async function found(parts: NetworkParts, members: readonly FoundingMember[], svs: readonly SvNode[]) {
  const { freeTrafficBytes = FREE_TRAFFIC_BYTES, acronym, tickMicroseconds } = parts;
  const founding = { svs: members, movableClock: true, isDevNet: true, freeTrafficBytes };
  const chosen = {
    ...(tickMicroseconds === undefined ? {} : { tickMicroseconds }),
    ...(acronym === undefined ? {} : { acronym }),
  };
  await svs[0]?.submit(signFounding({ ...founding, ...chosen }));
}
