/** From one trusted scan a validator finds all others; from then on only their agreement changes the group. */
import { openDatabase, openSqliteStore, silentLog, systemHost } from "@callsign/node";
import { afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { until } from "../../packages/node/testing/until.ts";
import { SCAN_PATIENCE } from "../../packages/validator/src/limits/limits.ts";
import type { DiscoveredScans } from "../../packages/validator/src/scans/choose-scans.ts";
import type { ScanPatience } from "../../packages/validator/src/scans/scan-connection.ts";
import { ScanDirectory } from "../../packages/validator/src/scans/scan-directory.ts";
import { ScanGroup } from "../../packages/validator/src/scans/scan-group.ts";
import { dsoPartyId } from "../../packages/validator/src/scans/scan-lookups.ts";
import { KnownScansStore } from "../../packages/validator/src/store/known-scans.ts";
import { walletMigrations } from "../../packages/validator/src/store/wallet-migrations.ts";
import { type PublishedNetwork, startPublishedNetwork } from "../support/published-network.ts";

const atEnd = atEndOfFile();
let network: PublishedNetwork;
let dso: { dso_party_id: string };

beforeAll(async () => {
  network = await startPublishedNetwork(atEnd);
  dso = { dso_party_id: network.svs[0]?.node.replica.state.network?.dso ?? "" };
});

afterEach(() => {
  for (const { scan } of network.svs) {
    scan.resume();
    scan.lie(null);
  }
});

interface ScanList {
  readonly scans: readonly { readonly scans: readonly { publicUrl: string; svName: string }[] }[];
}

const seedOf = (place: number) => network.svs[place]?.scan.url ?? "";
const bft = (): DiscoveredScans => ({ kind: "bft", seedUrls: [seedOf(0)] });

async function newStore(): Promise<KnownScansStore> {
  const store = await openSqliteStore(openDatabase(":memory:"), walletMigrations);
  onTestFinished(() => store.close());
  return new KnownScansStore(store);
}

/** Patience for scans that fail for good: each scan is asked once, and every other answer is awaited. */
const ONE_ROUND = { ...SCAN_PATIENCE, read: 0, others: 60_000 };

async function open(
  store: KnownScansStore,
  discovery: DiscoveredScans = bft(),
  patience: ScanPatience = ONE_ROUND,
) {
  const parts = { host: systemHost, log: silentLog, patience };
  const group = new ScanGroup({ ...parts, urls: [] });
  const directory = await ScanDirectory.open({ ...parts, discovery, group, store });
  let closing: Promise<unknown> | undefined;
  const close = async () => {
    closing ??= Promise.all([directory.close(), group.close()]);
    await closing;
  };
  onTestFinished(close);
  return { group, directory, close };
}

/** The scan lists these instead of its own. */
function listOthers(place: number, change: (url: string, svName: string) => string | null): void {
  network.svs[place]?.scan.lie((path, honest) => {
    if (!path.endsWith("/v0/scans")) return undefined;
    const { scans } = honest as ScanList;
    return {
      scans: scans.map((group) => ({
        ...group,
        scans: group.scans.flatMap(({ publicUrl, svName }) => {
          const url = change(publicUrl, svName);
          return url === null ? [] : [{ publicUrl: url, svName }];
        }),
      })),
    };
  });
}

test("all scans are found through one, with or without its path, and a liar among them changes no answer", async () => {
  for (const seedUrls of [[seedOf(1)], [`${seedOf(1)}/api/scan/`]]) {
    const { group, directory } = await open(await newStore(), { kind: "bft", seedUrls });
    await directory.discover();
    expect(group.urls.toSorted()).toEqual(network.scanUrls().toSorted());
    network.svs[1]?.scan.lie((path) =>
      path.endsWith("/v0/dso-party-id") ? { dso_party_id: "mallory::1220" } : undefined,
    );
    for (let i = 0; i < 10; i++) expect(await group.read(dsoPartyId)).toEqual(dso);
    network.svs[1]?.scan.lie(null);
  }
});

test("a scan that lists fewer or others later changes nothing", async () => {
  const { group, directory } = await open(await newStore());
  await directory.discover();
  for (const change of [
    (_: string, svName: string) => (svName === "sv-1" ? seedOf(0) : null),
    () => "http://evil.example.com",
    () => null,
  ]) {
    listOthers(0, change);
    for (let i = 0; i < 3; i++) await directory.refresh();
    expect(group.urls.toSorted()).toEqual(network.scanUrls().toSorted());
  }
});

test("at the first start a list with which more than a third of its scans disagree is refused", async () => {
  const store = await newStore();
  const { group, directory } = await open(store);
  listOthers(0, (url, svName) => (svName === "sv-4" ? "http://127.0.0.1:9" : url));
  await expect(directory.discover()).rejects.toThrow(
    /lists 4 scans, and 2 of them list others: .*another SV/,
  );
  expect([group.urls, await store.find()]).toEqual([[], undefined]);
  network.svs[0]?.scan.lie(null);
  await directory.discover();
  expect(group.urls).toHaveLength(4);
});

test("a sequencer's URL in place of a scan's is told by who answers", async () => {
  const url = network.svs[0]?.sequencer.url ?? "";
  const { directory } = await open(await newStore(), { kind: "bft", seedUrls: [url] });
  await expect(directory.discover()).rejects.toThrow(
    `the scan's URL ${url} is answered by a sequencer; it must be the URL of a scan`,
  );
});

test("a restart needs no configured scan, and another configured scan is a new beginning", async () => {
  const store = await newStore();
  const first = await open(store);
  await first.directory.discover();
  await first.close();
  network.svs[0]?.scan.stop();
  const second = await open(store);
  await second.directory.discover();
  expect(await second.group.read(dsoPartyId)).toEqual(dso);
  await second.close();
  const stranger = await open(store, { kind: "bft", seedUrls: ["http://127.0.0.1:9"] });
  await expect(stranger.directory.discover()).rejects.toThrow(/127\.0\.0\.1:9 is answered by nobody/);
});

test("a validator whose known scans are all gone asks the configured ones, and takes no other network's", async () => {
  const store = await newStore();
  const first = await open(store);
  await first.directory.discover();
  await first.close();
  const known = await store.find();
  if (known === undefined) throw new Error("nothing was stored");
  const gone = [{ svName: "sv-1", url: "http://127.0.0.1:9" }];
  await store.keep({ ...known, scans: gone });
  const again = await open(store);
  await again.directory.discover();
  expect(again.group.urls).toEqual(["http://127.0.0.1:9/api/scan"]);
  await again.directory.refresh();
  expect(again.group.urls.toSorted()).toEqual(network.scanUrls().toSorted());
  expect(await again.group.read(dsoPartyId)).toEqual(dso);
  expect((await store.find())?.scans).toEqual(known.scans);
  await store.keep({ ...known, scans: gone, dso: "other::1220" });
  const elsewhere = await open(store);
  await expect(elsewhere.directory.refresh()).rejects.toThrow(/and this validator knows other::1220/);
});

test("only scans of chosen SVs are read from, and as many as the threshold must agree", async () => {
  const chosen = { kind: "bft-custom", seedUrls: [seedOf(0)], svNames: ["sv-2", "sv-3", "sv-9"] } as const;
  const { group, directory } = await open(await newStore(), { ...chosen, threshold: 2 });
  await directory.discover();
  expect(group.urls.toSorted()).toEqual(network.scanUrls().slice(1, 3).toSorted());
  expect(await group.read(dsoPartyId)).toEqual(dso);
  network.svs[1]?.scan.stop();
  await expect(group.read(dsoPartyId)).rejects.toThrow(
    /scan instances can be used .* fewer than the necessary 2/,
  );
  expect(group.missing()).toMatch(`1 of 2 scans answer, and 2 are needed; missing: ${seedOf(1)}/api/scan`);
  const tooMany = await open(await newStore(), { ...chosen, threshold: 3 });
  await expect(tooMany.directory.discover()).rejects.toThrow(
    /of 2 of the SVs sv-2, sv-3, sv-9 are known, and the threshold is 3; this network has scans of sv-1, sv-2/,
  );
});

test("an SV that moves is followed to its new address, and no read fails meanwhile", async () => {
  const store = await newStore();
  const { group, directory } = await open(store, bft(), SCAN_PATIENCE);
  await directory.discover();
  const before = network.scanUrls()[3] ?? "";
  const moving = network.move(3);
  const hasMoved = async () => {
    expect(await group.read(dsoPartyId)).toEqual(dso);
    return group.urls.includes(network.scanUrls()[3] ?? "") && !group.urls.includes(before);
  };
  await until(hasMoved, "the scan's new address is used");
  await moving;
  expect((await store.find())?.scans.map(({ url }) => `${url}/api/scan`).toSorted()).toEqual(
    network.scanUrls().toSorted(),
  );
});
