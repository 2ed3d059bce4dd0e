// A data folder that is damaged, or of another program: parts that can be rebuilt are, with nothing deleted, and the start
// says so; other damage ends it with a reason, and nothing is touched.

import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createClient, svApi } from "../../packages/api/src/index.ts";
import { prepareDataFolder } from "../../packages/localnet/src/data-folder.ts";
import { explainFailedStart } from "../../packages/localnet/src/explain-failed-start.ts";
import { SHORT_PAGE_BYTES } from "../../packages/localnet/src/limits.ts";
import type { LocalnetOptions } from "../../packages/localnet/src/localnet-options.ts";
import { type Localnet, startLocalnet } from "../../packages/localnet/src/start-localnet.ts";
import { markDamaged } from "../../packages/node/src/database/damaged-files.ts";
import { openDatabase } from "../../packages/node/src/database/open-database.ts";
import { silentLog } from "../../packages/node/src/observability/log.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { LocalNetworkProcess, startMain } from "../support/local-network-process.ts";
import { Random } from "../support/random.ts";
import { seed } from "../support/seed.ts";
import { SmallDisk } from "../support/small-disk.ts";
import { openSvNode } from "../support/sv-nodes.ts";

const TIMEOUT = { timeout: 120_000 };
const GARBAGE = "no database, but long enough to be looked at as one, I hope";
const NAME = "kept.unverified.cns";

/** The data of a network on which a name was bought, and whose SVs have a replica each. Tests copy it. */
const original = join(temporaryFolder(atEndOfFile()), "data");
let party: string;

beforeAll(async () => {
  const world = await LocalNetwork.start({ dataFolder: original, separateReplicas: true });
  await world.tap("app-user", "5");
  await world.buy("app-user", "kept");
  party = await world.party("app-user");
  await world.close();
}, 120_000);

function copyData(): string {
  const folder = join(temporaryFolder(), "data");
  cpSync(original, folder, { recursive: true });
  return folder;
}

async function open(options: LocalnetOptions): Promise<LocalNetwork> {
  const world = await LocalNetwork.start(options);
  onTestFinished(() => world.close());
  return world;
}

async function failToStart(dataFolder: string, options: LocalnetOptions = {}): Promise<string> {
  const error: unknown = await startLocalnet({ ...options, dataFolder }).then(
    (network: Localnet) => network.close(),
    (reason: unknown) => reason,
  );
  const { text, exitCode } = explainFailedStart(error);
  expect(exitCode).toBe(1);
  expect(text).not.toMatch(/\n\s+at /);
  return text;
}

/** The folders that damaged files of this part were moved to. */
function movedFrom(folder: string): readonly string[] {
  const found = existsSync(folder) ? readdirSync(folder) : [];
  return found.filter((name) => name.includes(".damaged-"));
}

/** Overwrites the first page of a table: SQLite finds that when it reads the table. */
function damageTable(path: string, table: string): void {
  const database = openDatabase(path);
  const row = database.prepare("select rootpage from sqlite_schema where name = ?").get(table);
  database.close();
  const page = Number(row?.["rootpage"]);
  expect(page).toBeGreaterThan(1);
  writeFileSync(path, readFileSync(path).fill(0xff, (page - 1) * SHORT_PAGE_BYTES, page * SHORT_PAGE_BYTES));
}

describe("the log cannot be rebuilt", () => {
  test.each([
    [
      "is gone",
      (log: string) => {
        for (const end of ["", "-wal", "-shm"]) rmSync(log + end, { force: true });
      },
      /log\.db is gone or empty, but the network has data( of \d+ entries)?\..* restore it from a copy/,
    ],
    [
      "has no bytes",
      (log: string) => truncateSync(log),
      /log\.db is gone or empty, but the network has data( of \d+ entries)?\./,
    ],
    [
      "has lost its end",
      (log: string) => {
        const database = openDatabase(log);
        database.exec("delete from entry where sequence = (select max(sequence) from entry)");
        database.close();
      },
      /damaged/,
    ],
    ["is no log", (log: string) => writeFileSync(log, GARBAGE), /log\.db is damaged, or no database at all/],
    [
      "is cut in half",
      (log: string) =>
        truncateSync(log, SHORT_PAGE_BYTES * Math.trunc(statSync(log).size / SHORT_PAGE_BYTES / 2)),
      /log\.db is damaged/,
    ],
    [
      "is the file of another store",
      (log: string) => copyFileSync(join(log, "../sv-1/replica.db"), log),
      /log\.db is the file of another store/,
    ],
  ] as const)("a network whose log %s says so, and what to do", TIMEOUT, async (_, damage, words) => {
    const folder = copyData();
    damage(join(folder, "log.db"));
    const damaged = existsSync(join(folder, "log.db")) ? readFileSync(join(folder, "log.db")) : null;
    const text = await failToStart(folder, { separateReplicas: true });
    expect(text).toMatch(words);
    expect(text).toContain("--fresh");
    // Nothing was founded in its place, and no other part was thrown away.
    if (damaged !== null && damaged.length > 0) expect(readFileSync(join(folder, "log.db"))).toEqual(damaged);
    for (const sv of ["svs", "sv-1", "sv-2", "sv-3", "sv-4"]) expect(movedFrom(join(folder, sv))).toEqual([]);
    expect(await failToStart(folder)).toMatch(words);
  });
});

describe("an SV's store", () => {
  test("is rebuilt from the log wherever its file is damaged, missing or another one", TIMEOUT, async () => {
    const folder = copyData();
    const replica = (sv: string) => join(folder, sv, "replica.db");
    writeFileSync(replica("sv-1"), GARBAGE);
    truncateSync(replica("sv-2"), SHORT_PAGE_BYTES * 3);
    rmSync(replica("sv-3"));
    copyFileSync(join(original, "sv-1/replica.db"), replica("sv-4"));
    const world = await open({ dataFolder: folder, separateReplicas: true });
    expect(await world.digestsAgree()).toBe(true);
    for (const number of [1, 2, 3, 4]) expect(await world.owner(NAME, number)).toBe(party);
    expect(movedFrom(join(folder, "sv-3"))).toEqual([]);
    for (const [sv, reason] of [
      ["sv-1", "no database at all"],
      ["sv-2", ""],
      ["sv-4", "the file of another store"],
    ] as const) {
      const [movedTo = "", ...more] = movedFrom(join(folder, sv));
      expect(more).toEqual([]);
      const notice = world.net.notices.find((each) => each.startsWith(replica(sv))) ?? "";
      expect(notice).toContain(`It is in ${join(folder, sv, movedTo)} now, and is rebuilt from the log.`);
      expect(notice).toContain(reason);
    }
    expect(
      readFileSync(join(folder, "sv-1", movedFrom(join(folder, "sv-1"))[0] ?? "", "replica.db"), "utf8"),
    ).toBe(GARBAGE);
    expect(world.net.notices.length).toBe(3);
    await world.buy("app-user", "after");
    expect(await world.owned("app-user")).toEqual([NAME, "after.unverified.cns"]);
  });

  test(
    "that is found damaged while it runs stops alone, says so, and is rebuilt by the next start",
    TIMEOUT,
    async () => {
      const folder = copyData();
      damageTable(join(folder, "sv-3", "replica.db"), "name_entry");
      const world = await open({ dataFolder: folder, separateReplicas: true });
      expect(world.net.notices).toEqual([]);
      const scan = world.net.svs[2]?.scanUrl ?? "";
      expect((await fetch(`${scan}/api/scan/v0/ans-entries/by-name/${NAME}`)).status).toBe(500);
      const isReady = async () => (await fetch(`${scan}/readyz`)).status === 200;
      await until(async () => !(await isReady()), "the scan says that it is not ready");
      const why = (await fetch(`${scan}/readyz`)).headers.get("x-callsign-missing");
      expect(why).toContain("its replica.db is damaged");
      const network = await fetch(`${world.net.developmentUrl}/readyz`);
      expect([network.status, await network.text()]).toEqual([503, expect.stringContaining("scan 3")]);
      await world.buy("app-user", "meanwhile");
      for (const number of [1, 2, 4])
        expect(await world.owner("meanwhile.unverified.cns", number)).toBe(party);
      await world.net.close();
      const again = await open({ dataFolder: folder, separateReplicas: true });
      expect(again.net.notices).toEqual([expect.stringMatching(/sv-3.*rebuilt from the log/)]);
      for (const number of [1, 2, 3, 4])
        expect(await again.owner("meanwhile.unverified.cns", number)).toBe(party);
      expect(await again.digestsAgree()).toBe(true);
    },
  );

  test("whose contracts cannot be read is rebuilt while it starts", TIMEOUT, async () => {
    const folder = copyData();
    const database = new DatabaseSync(join(folder, "sv-3", "replica.db"));
    const { changes } = database
      .prepare("update contract_body set text = replace(text, '\"', char(7))")
      .run();
    expect(changes).toBeGreaterThan(0);
    database.close();
    const world = await open({ dataFolder: folder, separateReplicas: true });
    expect(world.net.notices).toEqual([expect.stringMatching(/sv-3.*Expected JSON.*rebuilt from the log/s)]);
    expect(await world.owner(NAME, 3)).toBe(party);
    expect(await world.digestsAgree()).toBe(true);
  });

  test("of which the identity is lost stops alone; two of them are too many", TIMEOUT, async () => {
    const folder = copyData();
    rmSync(join(folder, "sv-1", "identity.json"));
    const world = await open({ dataFolder: folder, separateReplicas: true });
    expect(world.net.notices).toEqual([
      expect.stringMatching(
        /^sv-1 does not run, and the others go on without it: its identity sv-1::1220\w+ is none/,
      ),
    ]);
    await world.buy("app-user", "without-the-first");
    expect(await world.owner("without-the-first.unverified.cns", 2)).toBe(party);
    await world.forward(1);
    await world.net.close();
    writeFileSync(join(folder, "sv-4", "identity.json"), "{");
    const text = await failToStart(folder, { separateReplicas: true });
    expect(text).toMatch(
      /3 of 4 SVs are needed\. .*sv-1 stopped: .*sv-4 stopped: |sv-4 stopped: .*sv-1 stopped: /s,
    );
    expect(text).toContain("--fresh");
  });

  test("whose rebuild is killed is rebuilt by the next start", TIMEOUT, async () => {
    const folder = copyData();
    writeFileSync(join(folder, "sv-2", "replica.db"), GARBAGE);
    const child = startMain("--any-ports", "--json", "--separate-replicas", "--data", folder);
    await until(() => movedFrom(join(folder, "sv-2")).length > 0, "the file is moved aside", 60_000);
    await child.kill();
    const world = await open({ dataFolder: folder, separateReplicas: true });
    expect(await world.digestsAgree()).toBe(true);
    expect(await world.owner(NAME, 2)).toBe(party);
    expect(movedFrom(join(folder, "sv-2")).length).toBe(1);
  });
});

describe("the store that the SVs share", () => {
  const shared = "svs/replica.db";

  /** The data of a network whose SVs share a replica. */
  async function copyShared(): Promise<string> {
    const folder = copyData();
    await (await LocalNetwork.start({ dataFolder: folder })).close();
    return folder;
  }

  test(
    "is made from the log of a network whose SVs had one each, and takes the place of these",
    TIMEOUT,
    async () => {
      const folder = copyData();
      const world = await open({ dataFolder: folder });
      expect(world.net.notices).toEqual([]);
      for (const number of [1, 2, 3, 4]) expect(await world.owner(NAME, number)).toBe(party);
      expect(existsSync(join(folder, shared))).toBe(true);
      for (const sv of ["sv-1", "sv-2", "sv-3", "sv-4"])
        expect(readdirSync(join(folder, sv)).filter((file) => file.startsWith("replica.db"))).toEqual([]);
      await world.buy("app-user", "after");
      await world.net.close();
      const separate = await open({ dataFolder: folder, separateReplicas: true });
      for (const number of [1, 2, 3, 4])
        expect(await separate.owner("after.unverified.cns", number)).toBe(party);
      expect(await separate.digestsAgree()).toBe(true);
      expect(existsSync(join(folder, shared))).toBe(false);
    },
  );

  test("leaves the SVs' own replicas where they are until it has the whole log", TIMEOUT, async () => {
    const folder = copyData();
    const log = new DatabaseSync(join(folder, "log.db"));
    log.exec("update entry set bytes = 'damaged', packed = null where sequence = 20");
    log.close();
    expect(await failToStart(folder)).toContain("the log is damaged");
    const world = await open({ dataFolder: folder, separateReplicas: true });
    expect(await world.owner(NAME, 1)).toBe(party);
    expect(await world.digestsAgree()).toBe(true);
  });

  test("does not keep a damaged replica of an SV from being moved aside", TIMEOUT, async () => {
    const folder = copyData();
    markDamaged(join(folder, "sv-3", "replica.db"), "it differs", systemHost);
    const world = await open({ dataFolder: folder });
    expect(world.net.notices).toEqual([expect.stringContaining("sv-3/replica.db was damaged (it differs)")]);
    const [movedTo = ""] = movedFrom(join(folder, "sv-3"));
    expect(readdirSync(join(folder, "sv-3", movedTo))).toContain("replica.db");
  });

  test.each([
    ["is no database", (path: string) => writeFileSync(path, GARBAGE), /no database at all/],
    ["is cut off", (path: string) => truncateSync(path, SHORT_PAGE_BYTES * 3), /damaged/],
    [
      "is the file of another store",
      (path: string) => copyFileSync(join(original, "sv-1/replica.db"), path),
      /the file of another store/,
    ],
    [
      "has contracts that cannot be read",
      (path: string) => {
        const database = new DatabaseSync(path);
        database.prepare("update contract_body set text = replace(text, '\"', char(7))").run();
        database.close();
      },
      /Expected JSON/,
    ],
  ] as const)("is rebuilt from the log if it %s", TIMEOUT, async (_, damage, reason) => {
    const folder = await copyShared();
    damage(join(folder, shared));
    const world = await open({ dataFolder: folder });
    expect(world.net.notices).toEqual([
      expect.stringMatching(/svs\/replica\.db was damaged .* rebuilt from the log\.$/s),
    ]);
    expect(world.net.notices[0]).toMatch(reason);
    for (const number of [1, 2, 3, 4]) expect(await world.owner(NAME, number)).toBe(party);
    await world.buy("app-user", "after");
    expect(movedFrom(join(folder, "svs")).length).toBe(1);
  });

  test("stops all of them if it is found damaged, and is rebuilt by the next start", TIMEOUT, async () => {
    const folder = await copyShared();
    damageTable(join(folder, shared), "name_entry");
    const world = await open({ dataFolder: folder });
    const [first, second] = world.net.svs;
    expect((await fetch(`${first?.scanUrl}/api/scan/v0/ans-entries/by-name/${NAME}`)).status).toBe(500);
    await until(() => second?.failure() !== null, "the replica stops");
    for (const { scanUrl } of world.net.svs) {
      const { status, headers } = await fetch(`${scanUrl}/readyz`);
      expect([status, headers.get("x-callsign-missing")]).toEqual([
        503,
        expect.stringContaining("Start again: it is moved aside and rebuilt from the log"),
      ]);
    }
    await world.net.close();
    const again = await open({ dataFolder: folder });
    expect(again.net.notices).toEqual([expect.stringMatching(/svs.*rebuilt from the log/)]);
    await again.buy("app-user", "after");
    for (const number of [1, 2, 3, 4]) expect(await again.owner("after.unverified.cns", number)).toBe(party);
  });

  test("serves the others if an SV has lost its identity", TIMEOUT, async () => {
    const folder = await copyShared();
    rmSync(join(folder, "sv-1", "identity.json"));
    const world = await open({ dataFolder: folder });
    expect(world.net.notices).toEqual([expect.stringMatching(/^sv-1 does not run, and the others go on/)]);
    await world.buy("app-user", "without-the-first");
    for (const number of [2, 3, 4])
      expect(await world.owner("without-the-first.unverified.cns", number)).toBe(party);
  });

  test("goes on with the others when one SV is closed", TIMEOUT, async () => {
    const world = await open({ dataFolder: await copyShared() });
    await world.net.svs[0]?.close();
    await world.buy("app-user", "after");
    expect(await world.owner("after.unverified.cns", 2)).toBe(party);
  });

  test("has the onboarding secrets of an SV whose identity was lost when it was made", TIMEOUT, async () => {
    const folder = copyData();
    const identity = join(folder, "sv-1", "identity.json");
    const kept = readFileSync(identity);
    rmSync(identity);
    await (await LocalNetwork.start({ dataFolder: folder })).close();
    writeFileSync(identity, kept);
    const { net } = await open({ dataFolder: folder });
    const baseUrl = `${net.svs[0]?.appUrl}/api/sv`;
    const app = createClient(svApi, { fetch, baseUrl, token: () => net.serviceToken });
    const { validator_onboardings } = await app.listValidatorOnboardings();
    expect(validator_onboardings.map(({ state }) => state)).toEqual(["used", "used", "used"]);
  });

  test("is rebuilt on request, under its own name, also if it is not there", TIMEOUT, async () => {
    const folder = copyData();
    const made = await open({ dataFolder: folder, rebuild: ["svs"] });
    expect(made.net.notices).toEqual([]);
    await made.net.close();
    const world = await open({ dataFolder: folder, rebuild: ["svs"] });
    expect(world.net.notices).toEqual([expect.stringMatching(/svs.*its operator wants it rebuilt/)]);
    expect(await world.owner(NAME, 3)).toBe(party);
    await world.net.close();
    const other = { dataFolder: folder, rebuild: ["sv-1"] };
    await expect(startLocalnet(other)).rejects.toThrow(
      "there is no part sv-1 to rebuild: parts are svs, app-user/",
    );
  });
});

test(
  "a participant whose signing key the network does not know ends the start at once",
  TIMEOUT,
  async () => {
    const dataFolder = copyData();
    const file = join(dataFolder, "app-user", "participant", "identity.json");
    const identity = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify({ ...identity, signingKey: "ab".repeat(32) }));
    expect(await failToStart(dataFolder)).toMatch(
      /the participant of app-user cannot go on: the network has registered participant::.* with another signing key/,
    );
  },
);

describe("a node's store", () => {
  test(
    "of the validator is rebuilt from its participant, and that of the participant when it is asked for",
    TIMEOUT,
    async () => {
      const folder = copyData();
      const validator = join(folder, "app-user", "validator", "validator.sqlite");
      const participant = join(folder, "app-user", "participant", "participant.sqlite");
      writeFileSync(validator, GARBAGE);
      writeFileSync(participant, GARBAGE);
      const text = await failToStart(folder);
      expect(text).toContain("the store of app-user/participant is damaged");
      expect(text).toContain("--rebuild app-user/participant: the file is moved aside");
      expect(text).toContain("without users other than");
      expect(readFileSync(participant, "utf8")).toBe(GARBAGE);
      const world = await open({ dataFolder: folder, rebuild: ["app-user/participant"] });
      expect(world.net.notices).toEqual([
        expect.stringMatching(/participant\.sqlite was damaged .* rebuilt from the sequencers\.$/),
        expect.stringMatching(/validator\.sqlite was damaged .* rebuilt from its participant\.$/),
      ]);
      expect(await world.party("app-user")).toBe(party);
      expect(await world.owned("app-user")).toEqual([NAME]);
      // Five dollars at half a cent a coin, without the price of a name.
      expect(await world.unlocked("app-user")).toBe(800n * 10n ** 10n);
      await world.buy("app-user", "after");
      expect(await world.owned("app-user")).toEqual([NAME, "after.unverified.cns"]);
    },
  );
});

test(
  "an SV with a page of random bytes anywhere in its store goes on, or says what is wrong and can be rebuilt",
  TIMEOUT,
  async () => {
    const random = new Random(seed);
    const folder = copyData();
    const log = new SqliteLog(join(folder, "log.db"), systemHost);
    onTestFinished(() => log.close());
    const run = async (dataFolder: string) => {
      const node = await openSvNode({ dataFolder, orderedLog: log, log: silentLog });
      const { sequence } = await log.head();
      const isOver = () => node.replica.state.head.sequence >= sequence || node.failure() !== null;
      await until(isOver, "the replica is at the log's end, or has stopped", 60_000);
      const failure = node.failure();
      await node.close();
      return failure?.message ?? null;
    };
    for (let i = 0; i < 8; i++) {
      const dataFolder = join(folder, `try-${i}`);
      cpSync(join(original, "sv-1"), dataFolder, { recursive: true });
      const path = join(dataFolder, "replica.db");
      const bytes = readFileSync(path);
      const page = random.below(bytes.length / SHORT_PAGE_BYTES);
      for (let at = page * SHORT_PAGE_BYTES; at < (page + 1) * SHORT_PAGE_BYTES; at++)
        bytes[at] = random.below(256);
      writeFileSync(path, bytes);
      const failure = await run(dataFolder);
      expect(failure).not.toBe("");
      if (failure === null) continue;
      // Damage that SQLite finds is marked for the next start; any other is rebuilt on request.
      if (!failure.includes("replica.db is damaged")) markDamaged(path, failure, systemHost);
      expect([page, await run(dataFolder)]).toEqual([page, null]);
      expect(movedFrom(dataFolder).length).toBe(1);
    }
  },
);

test.each([[[]], [["--fresh"]]])(
  "a folder that is not a network's is left alone: %s",
  TIMEOUT,
  async (more) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "photos"));
    writeFileSync(join(folder, "photos", "cat.txt"), "meow");
    const fresh = more.length > 0;
    const failed = startLocalnet({ dataFolder: folder, fresh });
    await expect(failed).rejects.toThrow("has files, such as photos, but none of a local network");
    expect(readdirSync(folder)).toEqual(["photos"]);
    expect(readFileSync(join(folder, "photos", "cat.txt"), "utf8")).toBe("meow");
  },
);

test(
  "--fresh begins anew and leaves other files of the folder alone, which only its owner may read",
  TIMEOUT,
  async () => {
    const folder = copyData();
    writeFileSync(join(folder, "notes.txt"), "mine");
    writeFileSync(join(folder, "log.db"), GARBAGE);
    const anew = await LocalNetworkProcess.start(folder, "--fresh");
    await anew.validator().tap({ body: { amount: "1" } });
    expect(await anew.owner(NAME, 1)).toBeNull();
    await anew.stop();
    expect(readFileSync(join(folder, "notes.txt"), "utf8")).toBe("mine");
    expect(statSync(original).mode & 0o077).toBe(0);
  },
);

describe("a data folder", () => {
  const refusedBy = async (...args: readonly string[]) => {
    const { code, output, errors } = await startMain("--any-ports", "--json", ...args).ended;
    expect([code, output]).toEqual([1, ""]);
    return errors;
  };

  test("that is a file, or lies in one, is refused with one line", TIMEOUT, async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "mine");
    const words = "it, or what is above it, is a file. Give a folder with --data.";
    expect(await refusedBy("--data", file)).toBe(`${file} cannot be the data folder: ${words}\n`);
    expect(() => prepareDataFolder(join(file, "data"), systemHost)).toThrow(words);
    expect(readFileSync(file, "utf8")).toBe("mine");
    expect(existsSync(`${file}.log`)).toBe(false);
  });

  test("that may not be written is refused with one line", TIMEOUT, async (context) => {
    // Root may write everywhere but on a read-only file system.
    const disk = SmallDisk.mount(1, context);
    disk.lock();
    const said = (folder: string) =>
      `The data folder ${folder} cannot be written: its file system is read-only. Give a folder of your own with --data.`;
    const below = join(disk.folder, "data");
    expect(await refusedBy("--data", below)).toBe(`${said(below)}\n`);
    expect(() => prepareDataFolder(disk.folder, systemHost)).toThrow(said(disk.folder));
  });
});
