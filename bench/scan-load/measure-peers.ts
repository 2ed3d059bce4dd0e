/** Lookups by name against other stores that have the same names, each alone on its core, in the same run. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Random } from "../../tests/support/random.ts";
import { median, numberOption, type Row, type Section } from "../measure.ts";
import { nameAt } from "../name-index-data/bulk-names.ts";
import { runGets } from "./http-get-load.ts";
import { MeasuredServer } from "./measured-server.ts";
import {
  type FoundPeer,
  type Peer,
  startEtcd,
  startNginx,
  startPostgres,
  startRedis,
} from "./peers/start-peers.ts";

const NAMES = numberOption("--names", 100_000);
const REQUESTS = numberOption("--requests", 5000);
const SAMPLES = 5;
const CONNECTIONS = 16;
const BY_NAME = "/api/scan/v0/ans-entries/by-name/";

export async function measurePeers(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), "callsign-peers-"));
  const ends: (() => void | Promise<void>)[] = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const scan = await MeasuredServer.start("serve-names.ts", [join(folder, "names.db"), NAMES]);
    ends.push(() => scan.stop());
    const names = await listNames(scan.port);
    const place = { folder, names, atEnd: (end: () => void | Promise<void>) => ends.push(end) };
    const ours: Peer = {
      what: "scan",
      server: scan,
      request: (name) => ({ path: BY_NAME + name }),
    };
    const found: FoundPeer[] = [];
    for (const start of [startEtcd, startPostgres, startRedis, startNginx]) found.push(await start(place));
    const peers = found.filter((each) => typeof each !== "string");
    const rates = await measureAll([ours, ...peers]);
    const missing = found.filter((each) => typeof each === "string");
    return {
      rows: peers.map((peer) => rowOf(peer, rates.get(ours) ?? 0, rates.get(peer) ?? 0)),
      note:
        `Uniform lookups by name among ${NAMES.toLocaleString("en-US")} names, for each second of processor time of all processes that take part;\n` +
        `${CONNECTIONS} connections, medians of ${SAMPLES} rounds of ${REQUESTS} taken in turns. The floor is the other store.` +
        missing.map((reason) => `\n${reason}`).join(""),
    };
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}

function rowOf({ what }: Peer, ours: number, theirs: number): Row {
  const row = { what: `scan against ${what}`, value: ours, unit: "/s", floor: theirs };
  // A server of files does no more than send bytes: the distance is told, and nothing is expected.
  return what.startsWith("nginx") ? row : { ...row, target: "> 1 ×", met: ours > theirs };
}

/** With bodies as long as scan's. */
async function listNames(port: number) {
  const first = nameAt(0, NAMES);
  const example = await (await fetch(`http://127.0.0.1:${port}${BY_NAME}${first}`)).text();
  return Array.from({ length: NAMES }, (_, i) => {
    const name = nameAt(i, NAMES);
    return { name, body: example.replace(first, name) };
  });
}

async function measureAll(peers: readonly Peer[]): Promise<ReadonlyMap<Peer, number>> {
  const random = new Random(1);
  const rates = new Map(peers.map((peer) => [peer, [] as number[]]));
  // The first round fills caches and is not counted.
  for (let i = 0; i <= SAMPLES; i++) {
    for (const peer of peers) {
      const requests = Array.from({ length: REQUESTS }, () =>
        peer.request(nameAt(random.below(NAMES), NAMES)),
      );
      const before = await peer.server.processorTime();
      await runGets({
        ...{ port: peer.server.port, connections: CONNECTIONS, requests: REQUESTS, status: 200 },
        path: (n) => requests[n]?.path ?? "",
        body: (n) => requests[n]?.body,
      });
      const taken = ((await peer.server.processorTime()) - before) / 1e6;
      if (i > 0) rates.get(peer)?.push(REQUESTS / taken);
    }
  }
  return new Map([...rates].map(([peer, all]) => [peer, median(all)]));
}
