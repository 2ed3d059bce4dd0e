/**
 * The SVs of a network in one process, on one ordered log, with a replica each or with one for all. The first start founds the
 * network. An SV whose files are damaged beyond repair does not keep the others from starting, as long as they are enough.
 */
import { join } from "node:path";
import { addDuration, toleratedFaults } from "@callsign/ledger";
import {
  CannotStart,
  Closing,
  type Host,
  isDamage,
  type Log,
  loadMemberIdentity,
  SignatureChecks,
  startDeadline,
  systemHost,
} from "@callsign/node";
import { type OrderedLog, ProcessPeers } from "@callsign/synchronizer";
import { signActivation } from "./founding/sign-activation.ts";
import {
  type FoundingMember,
  type NetworkFounding,
  signFounding,
  svPartyOf,
} from "./founding/sign-founding.ts";
import { ACTIVATION_MILLISECONDS, ENTRY_LIFETIME } from "./limits/limits.ts";
import { replicaPath, startWholeReplica } from "./open-core.ts";
import { openRunningReplica } from "./running-replica.ts";
import { metricsOf, type SvNode, startOnReplica, startSvNode } from "./sv-node.ts";
import type { SvNodeConfig } from "./sv-node-config.ts";

/** The settings of one SV; the rest of its configuration follows from its place in the network. */
export type OwnSvConfig = Omit<
  SvNodeConfig,
  | "dataFolder"
  | "identity"
  | "name"
  | "party"
  | "orderedLog"
  | "checks"
  | "peers"
  | "system"
  | "snapshotFolders"
  | "isMapped"
  | "sharesOutcomes"
>;

/** One replica for all SVs of a process. */
export interface SharedReplica {
  /** The name of its folder in the data folder; metrics and the mark of its database have it as well. */
  readonly name: string;
  readonly log: Log;
}

export interface SvNetworkConfig {
  /** Each SV has a folder in it, by its name. */
  readonly dataFolder: string;
  /** The folder of an SV's replica, in its own folder; that one itself by default. */
  readonly replicaFolder?: string;
  /** Each SV has a replica of its own by default. */
  readonly sharedReplica?: SharedReplica;
  readonly orderedLog: OrderedLog;
  /** The path of the log, for messages. */
  readonly logPath: string;
  readonly svs: readonly (Omit<FoundingMember, "identity" | "name"> & { readonly name: string })[];
  readonly configOf: (name: string, place: number) => OwnSvConfig;
  readonly founding: Omit<NetworkFounding, "svs">;
  /** True for the log of a network that other processes share: then this process has some of its SVs, and founds nothing. */
  readonly isShared?: boolean;
  /** A network of an earlier protocol version gets this one at its start; none if omitted. Earlier programs cannot follow then. */
  readonly activates?: bigint;
  /** True if there is other data that came from the network's log. */
  readonly hasOtherData?: () => boolean;
}

export interface StartedSvs {
  /** The SVs that started, in the order of their names. */
  readonly svs: readonly SvNode[];
  /** SVs that could not start, and why. */
  readonly stopped: ReadonlyMap<string, string>;
  /** The way in which they hear of each other; an SV that is started later takes it over. */
  readonly peers: NonNullable<SvNodeConfig["peers"]>;
}

/** An SV of this process before its node is started. */
interface PreparedSv {
  readonly member: FoundingMember;
  readonly config: SvNodeConfig;
}

/** Every SV that has started is added to `closing`, also if a later one fails. */
export async function startSvNetwork(
  config: SvNetworkConfig,
  closing: Closing,
  host: Host = systemHost,
): Promise<StartedSvs> {
  // The SVs share the cache: one process checks each signature once, and none of its own if no other process has an SV.
  const checks = new SignatureChecks({ trustsOwn: config.isShared !== true });
  const others =
    config.isShared === true
      ? { peers: "published" as const, logIsElsewhere: true }
      : { peers: new ProcessPeers() };
  const { orderedLog } = config;
  const isNew = (await orderedLog.head()).sequence === 0;
  const stopped = new Map<string, string>();
  const attempt: Attempt = async (name, start) => {
    try {
      await start();
    } catch (error) {
      if (isNew || !isDamage(error)) throw error;
      stopped.set(name, error instanceof Error ? error.message : String(error));
    }
  };
  const prepared: PreparedSv[] = [];
  for (const [place, { name }] of config.svs.entries())
    await attempt(name, () => prepared.push(prepareSv(config, place, { ...others, checks, system: host })));
  const given = { config, prepared, attempt, host };
  const svs = await (config.sharedReplica
    ? startSharing(given, config.sharedReplica, closing)
    : startEach(given, closing));
  checkEnough(stopped, config.svs.length);
  if (isNew) {
    checkNotLost(config, svs);
    // An SV that joins has not signed the founding.
    const members = prepared
      .filter(({ config: { joining } }) => joining === undefined)
      .map(({ member }) => member);
    await svs[0]?.submit(signFounding({ ...config.founding, svs: members }));
  } else if (config.activates !== undefined) {
    await activateVersion(svs, { orderedLog, version: config.activates, host });
  }
  return { svs, stopped, peers: others.peers };
}

/** Runs a part of an SV's start. Damage stops this SV alone, unless the network is new. */
type Attempt = (name: string, start: () => unknown) => Promise<void>;

function prepareSv(
  config: SvNetworkConfig,
  place: number,
  shared: Pick<SvNodeConfig, "checks" | "peers" | "logIsElsewhere" | "system"> & { readonly system: Host },
): PreparedSv {
  const { dataFolder, orderedLog, replicaFolder = ".", configOf, svs } = config;
  const wishes = svs[place] as SvNetworkConfig["svs"][number];
  const { name } = wishes;
  const folder = join(dataFolder, name);
  const member = { ...wishes, identity: loadMemberIdentity(folder, name, shared.system) };
  return {
    member,
    config: {
      ...configOf(name, place),
      ...{ name, identity: member.identity, party: svPartyOf(member) },
      dataFolder: join(folder, replicaFolder),
      snapshotFolders: listFolders(config, name),
      ...{ orderedLog, ...shared },
      // A process of several SVs, as of a local network, would have the whole files in its memory.
      isMapped: svs.length === 1,
      sharesOutcomes: svs.length > 1,
    },
  };
}

interface StartingSvs {
  readonly config: SvNetworkConfig;
  readonly prepared: readonly PreparedSv[];
  readonly attempt: Attempt;
  readonly host: Host;
}

/** Starts each SV on a replica of its own. */
async function startEach({ prepared, attempt }: StartingSvs, closing: Closing): Promise<readonly SvNode[]> {
  const svs: SvNode[] = [];
  for (const { config } of prepared)
    await attempt(config.name, async () => svs.push(closing.add(await startSvNode(config))));
  return svs;
}

/** Starts all SVs on one replica. Its store is rebuilt if the start of any SV reads damage in it. */
async function startSharing(
  { config: { dataFolder }, prepared, host }: StartingSvs,
  { name, log }: SharedReplica,
  closing: Closing,
): Promise<readonly SvNode[]> {
  const [first] = prepared;
  if (first === undefined) return [];
  const folder = join(dataFolder, name);
  const shared = {
    ...{ ...first.config, name, log, dataFolder: folder, snapshotFolders: [folder] as const },
    ...{ servesAllSvs: true, sharesOutcomes: false },
  };
  const start = async () => {
    const parts = new Closing();
    try {
      const running = parts.add(
        await openRunningReplica(shared, { metrics: metricsOf(shared).sequencer, host }),
      );
      const svs: SvNode[] = [];
      for (const { config } of prepared) svs.push(parts.add(await startOnReplica(config, running)));
      running.start();
      closing.add(parts);
      return svs;
    } catch (error) {
      await parts.close();
      throw error;
    }
  };
  return startWholeReplica(replicaPath(shared), { start, host });
}

/** The SV's own folder, and those of the others of this process: their snapshots are as good. */
function listFolders(
  { dataFolder, replicaFolder = ".", svs }: SvNetworkConfig,
  own: string,
): readonly [string, ...string[]] {
  const folderOf = (name: string) => join(dataFolder, name, replicaFolder);
  const others = svs.map(({ name }) => name).filter((name) => name !== own);
  return [folderOf(own), ...others.map(folderOf)];
}

interface Activation {
  readonly orderedLog: OrderedLog;
  readonly version: bigint;
  readonly host: Host;
}

/**
 * A replica that is empty reads the log first, for a while. Nothing else waits for it: a replica that is behind the log may sign a
 * second activation, which the network rejects, and one that is still empty is asked again at the next start.
 */
async function activateVersion(
  svs: readonly SvNode[],
  { orderedLog, version, host }: Activation,
): Promise<void> {
  const sequenceOf = ({ replica }: SvNode) => replica.state.head.sequence;
  const [foremost] = svs.toSorted((a, b) => sequenceOf(b) - sequenceOf(a));
  if (foremost?.replica.state.network === null) {
    const { sequence } = await orderedLog.head();
    const { signal, clear } = startDeadline(ACTIVATION_MILLISECONDS, { ...host, signals: [foremost.ended] });
    await foremost.replica.reach(sequence, signal).catch(() => undefined);
    clear();
  }
  const network = foremost?.replica.state.network ?? null;
  if (foremost === undefined || network === null || network.protocolVersion >= version) return;
  const signers = svs.map(({ identity }) => identity);
  const given = { network, version, maxRecordTime: addDuration(foremost.now(), ENTRY_LIFETIME) };
  await foremost.submit(signActivation(signers, given, host));
}

/** Throws if the SVs that are left cannot confirm anything. */
export function checkEnough(stopped: ReadonlyMap<string, string>, count: number): void {
  const faulty = toleratedFaults(count);
  if (stopped.size <= faulty) return;
  const reasons = Map.groupBy(stopped.keys(), (name) => stopped.get(name));
  const each = [...reasons].map(([reason, names]) => `${names.join(", ")} stopped: ${reason}`);
  throw new CannotStart(`${count - faulty} of ${count} SVs are needed. ${each.join("; ")}`);
}

/** A log that is empty is founded, unless there is data that came from another one. */
function checkNotLost({ logPath, hasOtherData }: SvNetworkConfig, svs: readonly SvNode[]): void {
  const applied = Math.max(...svs.map(({ replica }) => replica.state.head.sequence));
  if (applied === 0 && hasOtherData?.() !== true) return;
  throw new CannotStart(
    `the log ${logPath} is gone or empty, but the network has data${applied > 0 ? ` of ${applied} entries` : ""}. ` +
      "The log cannot be rebuilt, because everything else is made from it: restore it from a copy",
  );
}
