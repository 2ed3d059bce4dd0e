// `npm run -s release-fixture -- <checkout> <version>`: the data folder and the PostgreSQL database of a release, for the test
// that upgrades them (tests/data-folder/README.md). The checkout is a worktree of the release, with its dependencies installed.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ask, type Exchange } from "../tests/data-folder/exchange.ts";
import { compress, packFolder } from "../tests/data-folder/packed-folder.ts";
import { findPostgres, PASSWORD, PostgresServer, USER } from "../tests/support/postgres-server.ts";
import { listQuestions, liveThrough, type StoryNetwork } from "./release-story.ts";

type Network = StoryNetwork & { readonly close: () => Promise<void> };

const [checkout, version] = process.argv.slice(2);
if (checkout === undefined || version === undefined) {
  process.stderr.write("Usage: npm run -s release-fixture -- <checkout> <version>\n");
  process.exit(2);
}
const release = resolve(checkout, "packages");
const { startLocalnet } = (await import(join(release, "localnet/src/start-localnet.ts"))) as {
  readonly startLocalnet: (options: object) => Promise<Network>;
};
const { time } = (await import(join(release, "ledger/src/values/time.ts"))) as {
  readonly time: (text: string) => unknown;
};
const target = join(import.meta.dirname, "../tests/data-folder", version);

/** The answers of the release itself, after it has opened its data again. */
async function record(dataFolder: string, store: object): Promise<readonly Exchange[]> {
  const options = {
    ...{ dataFolder, ...store, clock: () => time("2026-03-01T12:00:00Z") },
    // Free ports would be others at every start.
    pausedAutomations: ["record-liveness", "publish-urls"],
  };
  const first = await startLocalnet(options);
  await liveThrough(first);
  await first.close();
  const second = await startLocalnet(options);
  await second.settle();
  const exchanges: Exchange[] = [];
  for (const question of await listQuestions(second))
    exchanges.push({ ...question, ...(await ask(second, question)) });
  await second.close();
  return exchanges;
}

function write(name: string, content: Buffer): void {
  writeFileSync(join(target, name), content);
  process.stdout.write(`${join(target, name)}: ${content.length} bytes\n`);
}

function writeAnswers(name: string, exchanges: readonly Exchange[]): void {
  const refused = exchanges.filter(({ status }) => status >= 300 && status !== 404);
  if (refused.length > 0) throw new Error(`refused: ${JSON.stringify(refused, null, 2)}`);
  write(name, compress(`[\n${exchanges.map((each) => JSON.stringify(each)).join(",\n")}\n]\n`));
}

function dump(port: number, database: string): string {
  const { status, stdout, stderr } = spawnSync(
    join(findPostgres() ?? "", "pg_dump"),
    [
      ...["--host", "127.0.0.1", "--port", `${port}`, "--username", USER, "--no-owner", "--no-privileges"],
      ...["--rows-per-insert", "100", database],
    ],
    { encoding: "utf8", env: { ...process.env, PGPASSWORD: PASSWORD }, maxBuffer: 1e9 },
  );
  if (status !== 0) throw new Error(stderr);
  // Commands of psql, which is not what restores it.
  return stdout.replace(/^\\.*\n/gm, "");
}

const closing: (() => void | Promise<void>)[] = [];
const folder = mkdtempSync(join(tmpdir(), "callsign-release-"));
try {
  mkdirSync(target, { recursive: true });
  const [alone, beside] = [join(folder, "alone"), join(folder, "beside")];
  writeAnswers("answers.json.br", await record(alone, {}));
  write("data-folder.br", packFolder(alone));
  const server = await PostgresServer.start({}, (close) => closing.push(close));
  const database = server.config("callsign");
  writeAnswers("postgres-answers.json.br", await record(beside, { database }));
  write("postgres-data-folder.br", packFolder(beside));
  write("postgres.sql.br", compress(dump(server.port, database.database)));
} finally {
  for (const close of closing.reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
}
