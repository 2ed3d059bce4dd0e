/**
 * The stored files of an SV in the middle of its network's history, as a killed process leaves them, with ways to damage
 * them and to see what becomes of that.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { ReplicaHalt } from "@callsign/ledger";
import { sha256 } from "@callsign/node";
import { markDamaged } from "../../packages/node/src/database/damaged-files.ts";
import { findMemberIdentity } from "../../packages/node/src/identity/kept-identity.ts";
import { SignatureChecks } from "../../packages/node/src/identity/signature-checks.ts";
import { silentLog } from "../../packages/node/src/observability/log.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import { svPartyOf } from "../../packages/sv/src/founding/sign-founding.ts";
import { type Core, openCore } from "../../packages/sv/src/open-core.ts";
import { openNodeScrub } from "../../packages/sv/src/open-node-scrub.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { catchUp } from "../../packages/synchronizer/src/replica/catch-up.ts";
import type { ScrubFinding } from "../../packages/synchronizer/src/scrub/scrub-part.ts";
import type { LocalNetwork } from "../support/local-network.ts";
import type { Random } from "../support/random.ts";
import { contentsOf } from "./table-contents.ts";
import { TablePages } from "./table-pages.ts";

export const FILES = [
  "log.db",
  "log.db-wal",
  "sv-1/replica.db",
  "sv-1/replica.db-wal",
  "sv-1/replica.db.damaged",
  "sv-1/identity.json",
] as const;

export type DamagedFile = (typeof FILES)[number];

/** Copies the files of a running network's first SV, and of its log. */
export function copyFiles(from: string, to: string): void {
  mkdirSync(join(to, "sv-1"), { recursive: true });
  for (const file of FILES) if (existsSync(join(from, file))) cpSync(join(from, file), join(to, file));
}

/** The faults of indexes that SQLite finds by its own check of the whole database. */
function listIndexFaults(database: DatabaseSync): readonly string[] {
  return database
    .prepare("pragma integrity_check")
    .all()
    .map((row) => row["integrity_check"] as string)
    .filter((fault) => fault.includes("index"));
}

export interface OpenedSv {
  readonly core: Core;
  readonly log: SqliteLog;
  readonly scrub: () => Promise<ScrubFinding | null>;
  readonly close: () => Promise<void>;
}

/** The stores of the SV whose files are in this folder, without its servers. */
export async function openSv(
  folder: string,
  log = new SqliteLog(join(folder, "log.db"), systemHost),
): Promise<OpenedSv> {
  try {
    const identity = findMemberIdentity(join(folder, "sv-1"), systemHost);
    if (identity === null) throw new Error("there is no identity");
    const party = svPartyOf({ identity });
    const config = { name: "sv-1", dataFolder: join(folder, "sv-1"), party, orderedLog: log };
    const given = { ...config, checks: new SignatureChecks(), log: silentLog };
    const core = await openCore(given, systemHost);
    const follower = { halt: () => undefined, refuseLog: () => undefined };
    const openScrub = () => openNodeScrub(given, core, { follower, host: systemHost });
    // As at the start of a node, which does not start without it.
    openScrub();
    return {
      ...{ core, log },
      scrub: () => openScrub().finishRound(),
      close: async () => {
        core.database.close();
        await log.close();
      },
    };
  } catch (error) {
    await log.close();
    throw error;
  }
}

/**
 * Flips a bit, cuts the end off, or puts another file's bytes in its place. Every second flip is in the given pages, if the
 * file has any. Returns what was done.
 */
export function damageFile(
  path: string,
  random: Random,
  others: readonly string[],
  pages: TablePages | null,
): string {
  const bytes = readFileSync(path);
  const kind = random.below(20);
  if (kind === 0 && others.length > 0) {
    const other = random.pick(others);
    cpSync(other, path);
    return `swapped with ${other}`;
  }
  if (kind === 1) {
    const size = random.below(bytes.length);
    truncateSync(path, size);
    return `cut to ${size} bytes`;
  }
  const isInPages = pages !== null && random.chance(0.5);
  const [at, bit] = [isInPages ? pages.pickByte(random) : random.below(bytes.length), random.below(8)];
  bytes[at] = (bytes[at] as number) ^ (1 << bit);
  writeFileSync(path, bytes);
  return `bit ${bit} of byte ${at} flipped`;
}

/** The end that a damage came to. */
export type Fate = "refused" | "repaired" | "found by the scrub" | "found by comparison" | "harmless";

interface Sound {
  /** Of the SV's tables at the end of the log. */
  readonly contents: ReadonlyMap<string, string>;
  readonly digest: string;
  readonly entries: string;
  readonly signingKey: string;
  readonly id: string;
}

export class DamagedSvs {
  /** As a killed process leaves them, and as one that was stopped. Their replicas stand before the end of the log. */
  readonly #files: Readonly<Record<"killed" | "stopped", string>>;
  /** Files of another SV, and of a replica that has applied the whole log. */
  readonly #ahead: string;
  readonly #work: string;
  readonly #sound: Sound;
  readonly #pages: TablePages;

  private constructor(folder: string, sound: Sound) {
    this.#files = { killed: join(folder, "killed"), stopped: join(folder, "stopped") };
    this.#ahead = join(folder, "ahead");
    this.#work = join(folder, "work");
    this.#sound = sound;
    this.#pages = new TablePages(join(this.#files.stopped, "sv-1/replica.db"));
  }

  /** Copies the SV's files before the given work, and the log's files after it. */
  static async prepare(
    world: LocalNetwork,
    folder: string,
    work: () => Promise<unknown>,
  ): Promise<DamagedSvs> {
    const data = join(world.folder, "net");
    const [killed, stopped, ahead] = ["killed", "stopped", "ahead"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await world.settle();
    for (const { replica } of world.net.svs) replica.commit();
    copyFiles(data, killed);
    await work();
    await world.settle();
    for (const file of ["log.db", "log.db-wal"]) cpSync(join(data, file), join(killed, file));
    cpSync(killed, stopped, { recursive: true });
    await (await openSv(stopped)).close();
    cpSync(killed, ahead, { recursive: true });
    return new DamagedSvs(folder, await readSound(ahead));
  }

  /** Damages one file, opens the SV's stores, scrubs them, and follows the log. Throws if the damage stays unseen. */
  async try(file: DamagedFile, random: Random): Promise<Fate> {
    const isKilled = random.chance(0.3) || file.endsWith("-wal");
    const files = this.#files[isKilled ? "killed" : "stopped"];
    rmSync(this.#work, { recursive: true, force: true });
    cpSync(files, this.#work, { recursive: true });
    if (file === "sv-1/replica.db.damaged")
      markDamaged(join(this.#work, "sv-1/replica.db"), "a test", systemHost);
    const others = FILES.filter((other) => other !== file).map((other) => join(this.#files.killed, other));
    const damage = damageFile(
      join(this.#work, file),
      random,
      [...others, join(this.#ahead, file)].filter(existsSync),
      // The pages of a killed process are in its write-ahead log.
      file === "sv-1/replica.db" && !isKilled ? this.#pages : null,
    );
    const scrubsFirst = random.chance(0.75);
    try {
      return await this.#judge(scrubsFirst);
    } catch (error) {
      throw new Error(`${file}: ${damage}: ${(error as Error).message}`, { cause: error });
    }
  }

  async #judge(scrubsFirst: boolean): Promise<Fate> {
    let sv: OpenedSv;
    try {
      sv = await openSv(this.#work);
    } catch (error) {
      if (error instanceof Error && error.message !== "") return "refused";
      throw error;
    }
    try {
      return await this.#judgeOpened(sv, scrubsFirst);
    } finally {
      await sv.close();
    }
  }

  async #judgeOpened(sv: OpenedSv, scrubsFirst: boolean): Promise<Fate> {
    const { core, log } = sv;
    if (scrubsFirst && (await sv.scrub()) !== null) return "found by the scrub";
    try {
      await catchUp(core.replica, log);
    } catch {
      return "refused";
    }
    if ((await sv.scrub()) !== null) return "found by the scrub";
    if ((await entriesOf(log)) !== this.#sound.entries) return this.#refuseShorter(log);
    if (core.replica.state.head.digest !== this.#sound.digest) return "found by comparison";
    const identity = findMemberIdentity(join(this.#work, "sv-1"), systemHost);
    // The network knows neither another id nor another key: nothing that they sign takes effect.
    if (identity?.id !== this.#sound.id || identity.signingKey.publicKey !== this.#sound.signingKey)
      return "refused";
    this.#compareContents(core.database);
    return core.rebuilt === null ? "harmless" : "repaired";
  }

  /** A log that lost its end is sound as far as it goes: the replicas that have applied more refuse it. */
  async #refuseShorter(log: SqliteLog): Promise<Fate> {
    const folder = `${this.#work}-ahead`;
    rmSync(folder, { recursive: true, force: true });
    cpSync(this.#ahead, folder, { recursive: true });
    const ahead = await openSv(folder, log);
    try {
      await catchUp(ahead.core.replica, log);
    } catch (error) {
      if (error instanceof ReplicaHalt) return "refused";
      throw error;
    } finally {
      ahead.core.database.close();
    }
    throw new Error("a log with other entries is taken");
  }

  #compareContents(database: DatabaseSync): void {
    const found = contentsOf(database);
    const differing = [...this.#sound.contents.keys()].filter(
      (name) => found.get(name) !== this.#sound.contents.get(name),
    );
    if (differing.length > 0) throw new Error(`unseen in the tables ${differing.join(", ")}`);
    const indexes = listIndexFaults(database);
    if (indexes.length > 0) throw new Error(`unseen in indexes: ${indexes.join("; ")}`);
  }
}

async function readSound(folder: string): Promise<Sound> {
  const sv = await openSv(folder);
  try {
    const before = await sv.scrub();
    if (before !== null) throw before;
    await catchUp(sv.core.replica, sv.log);
    const after = await sv.scrub();
    if (after !== null) throw after;
    const identity = findMemberIdentity(join(folder, "sv-1"), systemHost);
    return {
      contents: contentsOf(sv.core.database),
      digest: sv.core.replica.state.head.digest,
      entries: await entriesOf(sv.log),
      signingKey: identity?.signingKey.publicKey ?? "",
      id: identity?.id ?? "",
    };
  } finally {
    await sv.close();
  }
}

/** A digest of the log's entries. */
async function entriesOf(log: SqliteLog): Promise<string> {
  const { sequence } = await log.head();
  const entries: string[] = [];
  for (let after = (await log.start()).sequence; after < sequence; ) {
    for await (const page of log.follow(after, AbortSignal.timeout(60_000))) {
      entries.push(...page.entries);
      after = page.head.sequence;
      break;
    }
  }
  return sha256(entries.join("\n"));
}
