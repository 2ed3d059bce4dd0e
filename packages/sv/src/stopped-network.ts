/** A network whose SVs are stopped: its log, and their replicas at the log's end. */
import { join } from "node:path";
import type { LedgerView, Time } from "@callsign/ledger";
import {
  CannotStart,
  type Closing,
  findMemberIdentity,
  type Host,
  type Log,
  type MemberIdentity,
  SignatureChecks,
} from "@callsign/node";
import { catchUp, type OrderedLog, SqliteLog } from "@callsign/synchronizer";
import { svPartyOf } from "./founding/sign-founding.ts";
import type { StateCopy } from "./migration/agree-on-state.ts";
import {
  checkMigrationId,
  checkNotMigrated,
  findNetworkLog,
  type NetworkPlace,
} from "./migration/network-log.ts";
import { type Core, type CoreConfig, openCore } from "./open-core.ts";

export interface StoppedNetwork extends NetworkPlace {
  /** The names of its SVs. */
  readonly svs: readonly string[];
  /** The machine's clock. */
  readonly clock: () => Time;
  readonly log: Log;
}

export interface NetworkOpening {
  readonly host: Host;
  readonly closing: Closing;
}

export interface SvCopy extends StateCopy {
  readonly identity: MemberIdentity;
  readonly core: Core;
}

/** The log of the network's id. Nobody else has it open: the SVs are stopped. */
export async function openStoppedLog(
  config: StoppedNetwork,
  { host, closing }: NetworkOpening,
): Promise<OrderedLog> {
  const { dataFolder } = config;
  checkNotMigrated(config, host.files);
  const { logName } = findNetworkLog(config, host.files);
  if (!host.files.list(dataFolder).includes(logName)) {
    throw new CannotStart(
      `there is no network in ${dataFolder}: set callsign.dataFolder and migration.id to those of the SVs`,
    );
  }
  const log = closing.add(new SqliteLog(join(dataFolder, logName), host));
  await checkMigrationId(log, config, logName);
  return log;
}

/** Every SV's replica at the end of the log, and the reasons why some are not. */
export async function openCopies(config: StoppedNetwork, log: OrderedLog, { host, closing }: NetworkOpening) {
  const { replicaFolder } = findNetworkLog(config, host.files);
  const checks = new SignatureChecks();
  const copies: SvCopy[] = [];
  const left = new Map<string, string>();
  for (const name of config.svs) {
    const folder = join(config.dataFolder, name);
    try {
      const identity = findMemberIdentity(folder, host);
      if (identity === null) throw new CannotStart(`${folder} has no identity`);
      const place = { dataFolder: join(folder, replicaFolder), log: config.log, checks };
      const core = await openCaughtUp({ ...place, name, identity, orderedLog: log }, { host, closing });
      const { index } = core;
      checkSigner(index.state, identity);
      copies.push({ name, identity, index, core });
    } catch (error) {
      left.set(name, error instanceof Error ? error.message : String(error));
    }
  }
  return { copies, left };
}

/** An SV's replica, which has applied the log to its end. */
export async function openCaughtUp(
  { identity, ...place }: Omit<CoreConfig, "party"> & { readonly identity: MemberIdentity },
  { host, closing }: NetworkOpening,
): Promise<Core> {
  const core = await openCore({ ...place, party: svPartyOf({ identity }) }, host);
  closing.add({ close: async () => core.database.close() });
  await catchUp(core.replica, place.orderedLog);
  return core;
}

function checkSigner(state: LedgerView, { id, signingKey }: MemberIdentity): void {
  if (state.network?.svs.includes(id) !== true)
    throw new CannotStart(`its identity ${id} is none of the network's SVs`);
  if (state.findMember(id)?.signingKeys.includes(signingKey.publicKey) !== true)
    throw new CannotStart(
      `the signing key of its identity ${id} is not the one on the ledger: start the SVs, which finishes a rotation`,
    );
}
