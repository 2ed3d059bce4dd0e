/**
 * Restores a shared log that lost its tail, beside a stopped SV: with the SV's own copy of the log, and those of the other SVs at
 * the URLs that they publish. If the SV's own copy has entries that are dropped, it is cut, and the replica is rebuilt.
 */
import { join } from "node:path";
import type { Network } from "@callsign/ledger";
import {
  CannotStart,
  Closing,
  findMemberIdentity,
  type Host,
  type Log,
  type MemberIdentity,
  markDamaged,
  SignatureChecks,
  sha256,
  startDeadline,
} from "@callsign/node";
import {
  AppliedHeads,
  CopyTerms,
  catchUp,
  HttpPeer,
  type LogHead,
  type OrderedLog,
  type RestoreOutcome,
  restoreLog,
  SqliteLog,
  svSignatures,
} from "@callsign/synchronizer";
import { findBegunNetwork } from "./founding/find-beginning.ts";
import { svPartyOf } from "./founding/sign-founding.ts";
import { RESTORE_WAIT_MILLISECONDS } from "./limits/limits.ts";
import { type Core, openCore, replicaPath } from "./open-core.ts";
import { listPublished } from "./published-peers.ts";

export interface RestoreConfig {
  /** Each SV of this process has a folder in it, by its name. */
  readonly dataFolder: string;
  readonly svs: readonly string[];
  /** The shared log itself. */
  readonly orderedLog: OrderedLog;
  /** The file of this process's copy of the log. */
  readonly copyPath: string;
  /** Names or ids of SVs whose copies are lost, by the operator's word. */
  readonly lost: readonly string[];
  /** By place: the hash of the entry that stands, by the operator's word. */
  readonly kept: ReadonlyMap<number, string>;
  /** Nothing is changed if false: the outcome says what would be. */
  readonly applies: boolean;
  readonly log: Log;
  readonly report?: (head: LogHead) => void;
}

export interface RestoredLog extends RestoreOutcome {
  readonly network: Network;
  /** The SVs of this process. */
  readonly own: readonly string[];
  /** The folder that keeps the entries that were cut from this process's copy; null if none were. */
  readonly keptAside: string | null;
}

export async function restoreNetworkLog(config: RestoreConfig, host: Host): Promise<RestoredLog> {
  const closing = new Closing();
  try {
    const { orderedLog, copyPath, svs } = config;
    const copy = closing.add(new SqliteLog(copyPath, host));
    const identities = svs.map((name) => requireIdentity(join(config.dataFolder, name), host));
    const [asker] = identities as [MemberIdentity];
    const core = await openOwnCore(config, asker, { copy, host, closing });
    const { replica } = core;
    const network = requireNetwork(core, identities);
    await checkSameNetwork(network, orderedLog);
    const words = { lost: findSvs(config.lost, network), kept: config.kept };
    const deadline = startDeadline(RESTORE_WAIT_MILLISECONDS, host);
    closing.add({ close: async () => deadline.clear() });
    const outcome = await restoreLog({
      ...{ log: orderedLog, words, svs: network.svs, network: network.id, hash: sha256 },
      own: { ids: identities.map(({ id }) => id), copy, enterTerm: enterTermOf(config, host) },
      others: openOthers(core, asker, { network, host, closing }),
      holds: svSignatures(replica.state, new SignatureChecks()),
      ...{ appends: config.applies, patience: deadline.signal, ...host },
      ...(config.report === undefined ? {} : { report: config.report }),
    });
    const { cutBehind } = outcome;
    const isCut = config.applies && cutBehind !== null;
    const keptAside = isCut ? cutCopy(cutBehind, config, { copy, core, host }) : null;
    return { ...outcome, network, own: identities.map(({ id }) => id), keptAside };
  } finally {
    await closing.close();
  }
}

/** The SV remembers the terms of its copy in the same file. */
function enterTermOf({ copyPath, orderedLog }: RestoreConfig, { files }: Host): (term: string) => void {
  const terms = new CopyTerms(`${copyPath}-terms`, files, orderedLog.isLaterTerm);
  return (term) => {
    if (terms.isFormer(term))
      throw new CannotStart(
        `the log's server of an earlier term answers (${term}): set the log's hosts to the server that the other SVs use`,
      );
    terms.enter(term);
  };
}

interface Opening {
  readonly host: Host;
  readonly closing: Closing;
}

function requireIdentity(folder: string, host: Host): MemberIdentity {
  const identity = findMemberIdentity(folder, host);
  if (identity !== null) return identity;
  throw new CannotStart(`${folder} has no identity: set callsign.dataFolder to the folder of the SV`);
}

/** The replica as it stands; one without a network is made from the copy first. */
async function openOwnCore(
  { dataFolder, svs: [name = ""], log }: RestoreConfig,
  identity: MemberIdentity,
  { copy, host, closing }: Opening & { readonly copy: SqliteLog },
): Promise<Core> {
  const place = { dataFolder: join(dataFolder, name), name, party: svPartyOf({ identity }), log };
  const core = await openCore({ ...place, orderedLog: copy, checks: new SignatureChecks() }, host);
  closing.add({ close: async () => core.database.close() });
  if (core.replica.state.network === null) await catchUp(core.replica, copy);
  return core;
}

function requireNetwork({ replica }: Core, identities: readonly MemberIdentity[]): Network {
  const { network } = replica.state;
  if (network === null)
    throw new CannotStart("this SV's copy of the log has no network: run the command beside another SV");
  for (const { id } of identities)
    if (!network.svs.includes(id))
      throw new CannotStart(`${id} is none of the network's SVs, which are ${network.svs.join(", ")}`);
  return network;
}

/** A log that lost everything is restored as well. */
async function checkSameNetwork({ id }: Network, log: OrderedLog): Promise<void> {
  if ((await log.head()).sequence === 0) return;
  const begun = await findBegunNetwork(log, new AbortController().signal);
  if (begun?.id === id) return;
  throw new CannotStart(
    `the log begins with network ${begun?.id ?? "none"}, and this SV is one of network ${id}: set the log's keys to its log`,
  );
}

/** By their ids, or by their names, which ids begin with. */
function findSvs(given: readonly string[], { svs }: Network): ReadonlySet<string> {
  const found = given.map((word) => {
    const meant = svs.filter((id) => id === word || id.startsWith(`${word}::`));
    if (meant.length === 1 && meant[0] !== undefined) return meant[0];
    throw new CannotStart(
      `--lost: ${JSON.stringify(word)} names ${meant.length} of the network's SVs, which are ${svs.join(", ")}`,
    );
  });
  return new Set(found);
}

function openOthers(
  { replica, index }: Core,
  asker: MemberIdentity,
  { network, host, closing }: Opening & { readonly network: Network },
): readonly HttpPeer[] {
  const client = host.http.openClient();
  closing.add({ close: async () => client.close() });
  const shared = {
    heads: new AppliedHeads(replica),
    network: () => network.id,
    signingKey: () => asker.signingKey,
    holds: svSignatures(replica.state, new SignatureChecks()),
    timers: host.timers,
  };
  return listPublished({ replica, index }).map(
    ({ id, url }) => new HttpPeer({ ...shared, id, url, asker: asker.id, fetch: client.fetch }),
  );
}

interface Cutting {
  readonly copy: SqliteLog;
  readonly core: Core;
  readonly host: Host;
}

/** The entries are kept aside first, and the copy is cut last: a run that was killed is repeated. Returns the entries' folder. */
function cutCopy(last: LogHead, { dataFolder, svs, copyPath }: RestoreConfig, parts: Cutting): string {
  const { copy, core, host } = parts;
  const stamp = new Date(host.clock.wallMilliseconds()).toISOString().replace(/[:.]/g, "-");
  const folder = `${copyPath}.dropped-${stamp}`;
  host.files.makeFolder(folder);
  for (let { sequence } = last; ; ) {
    const { entries, head } = copy.readBehind(sequence);
    if (entries.length === 0) break;
    const lines = entries.map((bytes) => `${JSON.stringify(bytes)}\n`);
    host.files.write(join(folder, `${sequence + 1}-${head.sequence}.jsonl`), lines.join(""));
    ({ sequence } = head);
  }
  const reason = `entries behind ${last.sequence} were dropped from the log`;
  for (const [i, name] of svs.entries())
    if (i > 0 || core.replica.state.head.sequence > last.sequence)
      markDamaged(replicaPath({ dataFolder: join(dataFolder, name) }), reason, host);
  copy.cutBehind(last);
  return folder;
}
