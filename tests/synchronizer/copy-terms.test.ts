/** An SV's copy leaves the servers of earlier terms, once the SV has said in a new term what it holds. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { StoreUnwritable, systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import type { LogBatch, LogPage, OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { appendAll, chainBatches, chainContents, EMPTY } from "./log-entries.ts";
import { copyOf } from "./open-log.ts";

const [first, second, third, fourth] = chainBatches(EMPTY, 4) as [LogBatch, LogBatch, LogBatch, LogBatch];
const common = [first, second];
/** An entry that the server of the second term lacks. */
const lost = chainContents(second.head, ["an entry of the former server"]);

/** Two servers of one log: the second took over with a part of it, and the first still answers. */
class TwoServers {
  readonly log: OrderedLog;
  /** The server whose entries followers get. */
  answering: "term 1" | "term 2" = "term 1";
  /** True if pages name their server. */
  namesTerms = true;
  /** Pages are handed out once this resolves. */
  onItsWay: Promise<void> = Promise.resolve();
  /** Pages that were handed out. */
  pages = 0;
  #present = "term 1";
  readonly #servers = { "term 1": newLog(), "term 2": newLog() };

  constructor() {
    const { start, trim, unwritable, append } = this.#servers["term 1"];
    this.log = {
      ...{ start, trim, unwritable, append, close: async () => undefined },
      head: () => this.#servers[this.answering].head(),
      term: async () => this.#present,
      follow: (after, signal) => this.#follow(after, signal),
    };
  }

  append(term: "term 1" | "term 2", content: readonly LogBatch[]): Promise<void> {
    return appendAll(this.#servers[term], content);
  }

  takeOver(): void {
    this.#present = "term 2";
  }

  async *#follow(after: number, signal: AbortSignal): AsyncGenerator<LogPage> {
    const term = this.answering;
    for await (const page of this.#servers[term].follow(after, signal)) {
      await this.onItsWay;
      this.pages++;
      yield this.namesTerms ? { ...page, term } : page;
    }
  }
}

function newLog(): SqliteLog {
  const log = new SqliteLog(":memory:", systemHost);
  onTestFinished(() => log.close());
  return log;
}

/** A copy with the first two entries of both servers. */
async function start(servers: TwoServers, folder = temporaryFolder()) {
  const copy = copyOf(servers.log, folder);
  onTestFinished(() => copy.close());
  await servers.append("term 1", common);
  await servers.append("term 2", common);
  await until(async () => (await copy.copy.head()).sequence === 2, "two entries are copied");
  return { copy, folder };
}

test("nothing of an earlier term is copied after a statement, nor after a restart", async () => {
  const servers = new TwoServers();
  const { copy, folder } = await start(servers);
  servers.takeOver();
  await copy.enterTerm("term 2");
  const isOffered = async (pages: number) => {
    await until(() => servers.pages > pages, "the lost entry is offered");
  };
  const { pages } = servers;
  await servers.append("term 1", [lost]);
  await isOffered(pages);
  await copy.close();
  const before = servers.pages;
  const again = copyOf(servers.log, folder);
  onTestFinished(() => again.close());
  await isOffered(before);
  expect(await again.copy.head()).toEqual(second.head);
  servers.answering = "term 2";
  await servers.append("term 2", [third, fourth]);
  await until(async () => (await again.copy.head()).sequence === 4, "the entries of the new term are copied");
});

test("a page that was on its way when the SV made its statement is not copied", async () => {
  const servers = new TwoServers();
  servers.namesTerms = false;
  const { copy } = await start(servers);
  const arrives = Promise.withResolvers<void>();
  servers.onItsWay = arrives.promise;
  await servers.append("term 1", [lost]);
  servers.takeOver();
  servers.answering = "term 2";
  await copy.enterTerm("term 2");
  arrives.resolve();
  await servers.append("term 2", [third]);
  await until(async () => (await copy.copy.head()).sequence === 3, "the entry of the new term is copied");
  expect(await copy.copy.head()).toEqual(third.head);
});

test("a statement about another term than that of the SV's own log is refused", async () => {
  const servers = new TwoServers();
  const { copy } = await start(servers);
  await expect(copy.enterTerm("term 2")).rejects.toThrow(
    "the log of this SV is in the term term 1, and it was asked about term 2",
  );
  servers.takeOver();
  await copy.enterTerm("term 2");
  await expect(copy.enterTerm("term 1")).rejects.toThrow("it was asked about term 1");
});

test("a copy goes on when its terms could not be written for a while", async () => {
  const servers = new TwoServers();
  const { copy, folder } = await start(servers);
  await copy.close();
  const inTheWay = join(folder, "copy.db-terms.new");
  mkdirSync(inTheWay);
  servers.takeOver();
  servers.answering = "term 2";
  await servers.append("term 2", [third]);
  const { pages } = servers;
  const again = copyOf(servers.log, folder);
  onTestFinished(() => again.close());
  await until(() => servers.pages > pages + 1, "the entry of the new term is offered twice");
  await expect(again.enterTerm("term 2")).rejects.toThrow(StoreUnwritable);
  rmSync(inTheWay, { recursive: true });
  await until(async () => (await again.copy.head()).sequence === 3, "the entry of the new term is copied");
});
