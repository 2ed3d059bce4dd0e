import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { type Endpoint, scanApi } from "@callsign/api";
import { systemHost } from "@callsign/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { formatPath } from "../../packages/api/src/path-template.ts";
import { formatQueryString } from "../../packages/api/src/query-string.ts";
import { scanExamples } from "../../packages/api/testing/examples/scan.ts";
import { openDatabase } from "../../packages/node/src/database/open-database.ts";
import { mountScan } from "../../packages/scan/src/mount-scan.ts";
import { ScanReader } from "../../packages/scan/src/rows/scan-reader.ts";
import { Random } from "../support/random.ts";
import { serveMount } from "../support/serve-mount.ts";
import { changeNames, lookupTargets } from "./changing-names.ts";
import { askTogether, comparable } from "./raw-answers.ts";
import { ServedWorld } from "./served-world.ts";

/** A reader of the world's index, with connections of its own, and its port. */
async function serveReader(world: ServedWorld) {
  const database = openDatabase(join(world.folder, "replica.db"), { readOnly: true });
  onTestFinished(() => database.close());
  const source = new ScanReader(database, systemHost.timers, { cachedNames: 4 });
  const mounts = mountScan({
    source,
    sv: { user: "sv", party: world.network.svs[0]?.party ?? world.network.dso },
    timers: systemHost.timers,
    health: { id: "scan sv-1", missing: () => null, port: () => 0, clock: systemHost.clock },
  });
  const { port } = await serveMount(mounts);
  return { source, port };
}

/** Every operation of scan's own API, as its example asks. */
/** Answers of a process about itself. */
const OF_THE_PROCESS = ["/status", "/readyz", "/ext/v1/statistics/lookups"];

function listOperations(): readonly string[] {
  return (Object.values(scanApi.endpoints) as Endpoint[])
    .filter(({ method, path }) => method === "GET" && !OF_THE_PROCESS.includes(path))
    .map(({ id, path }) => {
      const { request = {} } = scanExamples[id as keyof typeof scanExamples] as {
        request?: { params?: Record<string, string>; query?: Record<string, unknown> };
      };
      return `/api/scan${formatPath(path, request.params ?? {})}${formatQueryString(request.query ?? {})}`;
    });
}

describe("a reader of the index", () => {
  test.each([5])(
    "answers as the process that writes it, with no word from it, from seed %i",
    async (seed) => {
      const world = await ServedWorld.start({ hasReaders: true });
      const { port } = await serveReader(world);
      const random = new Random(seed);
      const wallets = ["alice", "bob"].map((name) => world.wallet(name));
      const parties = [...wallets.map(({ party }) => party), world.network.dso];
      const targets = [...lookupTargets(parties), ...listOperations()];
      const heads = targets.map((target) => `GET ${target} HTTP/1.1\r\nhost: localhost\r\n`);
      for (let step = 0; step < 16; step++) {
        changeNames(world, wallets, random);
        await world.scan();
        const [own, read] = [await askTogether(world.port, heads), await askTogether(port, heads)];
        for (const [i, target] of targets.entries())
          expect({ target, ...comparable(read[i] as never) }).toEqual({
            target,
            ...comparable(own[i] as never),
          });
      }
    },
  );

  test("reads one state of the index for a whole turn, and the newest in the next", async () => {
    const world = await ServedWorld.start({ hasReaders: true });
    world.buy(world.wallet("alice"), { name: "alice.unverified.cns" });
    await world.scan();
    const { source } = await serveReader(world);
    const range = { from: "", isFromIncluded: true, end: null, now: source.index.now, limit: 10 };
    const count = () => {
      source.refresh();
      return source.index.namePages.list(range).length;
    };
    expect(count()).toBe(1);
    world.node.database.exec("delete from name_entry");
    expect(count()).toBe(1);
    await turn();
    expect(count()).toBe(0);
  });

  test("never writes", async () => {
    const world = await ServedWorld.start({ hasReaders: true });
    const { source } = await serveReader(world);
    expect(() => source.index.state.database.exec("delete from name_entry")).toThrow("readonly");
  });
});
