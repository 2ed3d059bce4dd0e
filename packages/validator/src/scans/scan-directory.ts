/**
 * Finds the network's scans and keeps the group up to date. At the very first start the configured scans are trusted for
 * the list, and the listed scans are asked whether they have the same. From then on a list counts only if the scans that
 * are known agree on it, so that no single one can narrow or replace the group. The last list is stored. If none of its
 * scans answers any more, the configured scans are asked again.
 */
import { Backoff, type Host, type Log, onAbort, sleep } from "@callsign/node";
import { describeError } from "../errors/describe-error.ts";
import { ValidatorError } from "../errors/validator-error.ts";
import { MAX_SCANS, SCAN_LIST_BACKOFF, SCAN_LIST_MILLISECONDS, SCAN_PATIENCE } from "../limits/limits.ts";
import type { KnownScans, KnownScansStore } from "../store/known-scans.ts";
import { canonicalJson } from "./canonical-json.ts";
import { chooseScans, type DiscoveredScans } from "./choose-scans.ts";
import { explainingScans } from "./explain-scans.ts";
import type { ScanPatience } from "./scan-connection.ts";
import { ScanGroup } from "./scan-group.ts";
import { type BodyOf, requestTo, type ScanRead } from "./scan-read.ts";

type ListedScans = Omit<KnownScans, "seeds">;

/** The DSO, its synchronizer, the number of its SVs and their scans, as one scan tells them. */
const networkScans: ScanRead<ListedScans> = {
  what: "the network's scans",
  requests: [
    requestTo("getDsoPartyId", {}),
    requestTo("getAmuletRules", { body: {} }),
    requestTo("listDsoScans", {}),
    requestTo("getDsoInfo", {}),
  ],
  decode: (bodies) => {
    const [{ dso_party_id: dso }, { amulet_rules_update }, { scans }, { dso_rules }] = bodies as [
      ...[BodyOf<"getDsoPartyId">, BodyOf<"getAmuletRules">, BodyOf<"listDsoScans">, BodyOf<"getDsoInfo">],
    ];
    const { svs } = dso_rules.contract.payload;
    if (!Array.isArray(svs)) throw new Error("the scan does not say which SVs the network has");
    const synchronizerId = amulet_rules_update.domain_id;
    if (synchronizerId === null) throw new Error("the scan does not say which synchronizer is the network's");
    const listed = scans.find(({ domainId }) => domainId === synchronizerId)?.scans ?? [];
    if (listed.length > MAX_SCANS)
      throw new Error(`the scan lists ${listed.length} scans: more than ${MAX_SCANS}`);
    return {
      ...{ dso, synchronizerId, svs: svs.length },
      scans: listed.map(({ svName, publicUrl }) => ({ svName, url: publicUrl })),
    };
  },
};

export interface DirectoryParts {
  readonly discovery: DiscoveredScans;
  readonly group: ScanGroup;
  readonly store: KnownScansStore;
  readonly host: Host;
  readonly log: Log;
  readonly patience?: ScanPatience;
}

export class ScanDirectory {
  readonly #parts: DirectoryParts;
  readonly #closing = new AbortController();
  #known: KnownScans | null = null;
  #refreshing: Promise<void> | null = null;

  private constructor(parts: DirectoryParts) {
    this.#parts = parts;
  }

  /** With the scans of the last time, unless the operator configured others to begin with. */
  static async open(parts: DirectoryParts): Promise<ScanDirectory> {
    const directory = new ScanDirectory(parts);
    const stored = await parts.store.find();
    if (stored === undefined || canonicalJson(stored.seeds) !== canonicalJson(parts.discovery.seedUrls))
      return directory;
    directory.#known = stored;
    try {
      directory.#apply(stored);
    } catch (error) {
      parts.log.warn({ error: describeError(error) }, "the scans of the last time are not enough");
    }
    return directory;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#refreshing;
  }

  /** Resolves once there are scans to read from, which are kept up to date; rejects with what keeps it from them. */
  async discover(): Promise<void> {
    if (this.#parts.group.urls.length === 0) await this.refresh();
    this.#refreshing ??= this.#keepRefreshing();
  }

  /** Reads the list by agreement of the scans that are known, and uses it from then on. */
  async refresh(): Promise<void> {
    const known = this.#known;
    const { discovery, group, log } = this.#parts;
    if (known === null) {
      const listed = await this.#readFromSeeds();
      await this.#use({ seeds: discovery.seedUrls, ...listed });
      log.info({ scans: group.urls, through: discovery.seedUrls }, "the network's scans were found");
      return;
    }
    const listed = await this.#readFromKnown(known).catch((error: unknown) => {
      if (!isSilence(error)) throw error;
      log.warn({ scans: group.urls }, "no known scan answers: the configured ones are asked for the list");
      return this.#readFromSeeds();
    });
    if (listed.dso !== known.dso)
      throw new Error(`the scans serve the network of ${listed.dso}, and this validator knows ${known.dso}`);
    const before = group.urls;
    await this.#use({ ...known, ...listed });
    if (canonicalJson(group.urls) !== canonicalJson(before))
      log.info({ scans: group.urls, before }, "the network's scans have changed");
  }

  /** All known scans together, where those that are configured by name are too few. */
  #readFromKnown({ scans }: KnownScans): Promise<ListedScans> {
    const { group } = this.#parts;
    if (group.urls.length > 0) return group.read(networkScans);
    return this.#withGroup(
      scans.map(({ url }) => url),
      (all) => all.read(networkScans),
    );
  }

  /** Throws if more than a third of the listed scans list others. */
  async #readFromSeeds(): Promise<ListedScans> {
    const { discovery, host } = this.#parts;
    const { seedUrls } = discovery;
    const listed = await explainingScans(seedUrls, host, () =>
      this.#withGroup(seedUrls, (group) => group.read(networkScans)),
    );
    const urls = listed.scans.map(({ url }) => url);
    const votes = await this.#withGroup(urls, (group) => group.askAll(networkScans));
    const expected = canonicalJson(listed);
    const differing = votes.filter(({ said }) => said.kind !== "failure" && said.key() !== expected);
    if (differing.length * 3 <= urls.length) return listed;
    throw new Error(
      `${seedUrls.join(", ")} lists ${urls.length} scans, and ${differing.length} of them list others: ` +
        `${differing.map(({ url }) => url).join(", ")}. Ask another SV for the url of its scan.`,
    );
  }

  async #withGroup<T>(urls: readonly string[], work: (group: ScanGroup) => Promise<T>): Promise<T> {
    const { host, log, patience = SCAN_PATIENCE } = this.#parts;
    const group = new ScanGroup({ urls, host, log, patience });
    const stopListening = onAbort(this.#closing.signal, () => void group.close());
    try {
      return await work(group);
    } finally {
      stopListening();
      await group.close();
    }
  }

  async #use(known: KnownScans): Promise<void> {
    this.#apply(known);
    if (canonicalJson(known) !== canonicalJson(this.#known)) await this.#parts.store.keep(known);
    this.#known = known;
  }

  #apply(known: KnownScans): void {
    const { discovery, group, log } = this.#parts;
    const { urls, quorum } = chooseScans(discovery, known, log);
    group.replace(urls, quorum);
  }

  /** After trouble the list is read soon, then with pauses that double; otherwise at its interval. */
  async #keepRefreshing(): Promise<void> {
    const { group, host, log } = this.#parts;
    const { signal } = this.#closing;
    const backoff = new Backoff({ ...SCAN_LIST_BACKOFF, jitter: host.randomness });
    // A stored list may be old.
    let isTroubled = true;
    for (;;) {
      const { troubles } = group;
      const pause = backoff.next();
      await sleep(pause, { timers: host.timers, signal });
      const milliseconds = Math.max(0, SCAN_LIST_MILLISECONDS - pause);
      if (!isTroubled)
        isTroubled = await group.troubled.until(() => group.troubles > troubles, { milliseconds, signal });
      if (signal.aborted) return;
      try {
        await this.refresh();
        if (!isTroubled) backoff.reset();
        isTroubled = false;
      } catch (error) {
        log.warn({ error: describeError(error) }, "reading the network's scans failed");
      }
    }
  }
}

function isSilence(error: unknown): boolean {
  return (
    error instanceof ValidatorError && error.problem.kind === "too-few-scans" && error.problem.answered === 0
  );
}
