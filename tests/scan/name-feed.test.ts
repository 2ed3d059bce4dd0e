// Changes of names under /ext/v1, as pages and as server-sent events.

import { get, type IncomingMessage } from "node:http";
import type { Call, EventStream } from "@callsign/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { VirtualHost } from "../../packages/node/testing/virtual-host.ts";
import { extChangeRoutes } from "../../packages/scan/src/ext/changes.ts";
import { MAX_FEED_LISTENERS, MAX_FEED_LISTENERS_PER_ADDRESS } from "../../packages/scan/src/limits/limits.ts";
import { ScannedWorld } from "./name-world.ts";
import { ServedWorld } from "./served-world.ts";

const PATH = "/ext/v1/names/changes";
const full = (label: string) => `${label}.unverified.cns`;

interface Event {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
}

/** A listener that reads event after event. */
class Listening {
  readonly response: Response;
  readonly #reader: ReadableStreamDefaultReader<string>;
  readonly #abort: AbortController;
  #text = "";

  private constructor(response: Response, abort: AbortController) {
    if (response.body === null) throw new Error("the answer has no body");
    this.response = response;
    this.#reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    this.#abort = abort;
  }

  static async open(
    world: ServedWorld,
    search = "",
    headers: Record<string, string> = {},
  ): Promise<Listening> {
    const abort = new AbortController();
    const accept = { accept: "text/event-stream", ...headers };
    const response = await fetch(world.url + PATH + search, { headers: accept, signal: abort.signal });
    const listening = new Listening(response, abort);
    if (response.status === 200) expect(await listening.block()).toMatch(/^retry: 2000\nid: \d+$/);
    return listening;
  }

  /** The next lines up to an empty one. */
  async block(): Promise<string> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end >= 0) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return block;
      }
      const { value, done } = await this.#reader.read();
      if (done) throw new Error("the stream ended");
      this.#text += value;
    }
  }

  async next(): Promise<Event> {
    const block = await this.block();
    const [, id = "", data = ""] = /^id: (\d+)\nevent: change\ndata: (.*)$/.exec(block) ?? [];
    const { offset, name, kind } = JSON.parse(data) as { offset: string; name: string; kind: string };
    expect(offset).toBe(id);
    return { id, name, kind };
  }

  close(): void {
    this.#abort.abort();
  }
}

/** The head of the answer to a listener of this address, who stays until the test is over. */
function listenFrom(localAddress: string, world: ServedWorld): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { accept: "text/event-stream" };
    const sent = get(world.url + PATH, { headers, localAddress, agent: false }, resolve);
    sent.on("error", reject);
    onTestFinished(() => void sent.destroy());
  });
}

async function startWith(...labels: readonly string[]): Promise<ServedWorld> {
  const world = await ServedWorld.start();
  for (const label of labels) buy(world, label);
  await world.scan();
  return world;
}

/** The owner has the name of the label. */
function buy(world: ServedWorld, label: string): void {
  world.buy(world.wallet(label), { name: full(label), url: "", description: "" });
}

async function read(world: ServedWorld, search = "") {
  const { status, body } = await world.getJson(PATH + search);
  expect(status).toBe(200);
  return body as { readonly changes: readonly Record<string, string>[]; readonly next: string };
}

describe("pages", () => {
  test("have every change once, in the order of the log, and later ones behind the last", async () => {
    const world = await startWith("ann", "bea", "cleo");
    const first = await read(world, "?page_size=2");
    const second = await read(world, `?page_size=2&after=${first.next}`);
    const names = [...first.changes, ...second.changes].map(({ name }) => name);
    expect(names).toEqual([full("ann"), full("bea"), full("cleo")]);
    expect(await read(world, `?after=${second.next}`)).toMatchObject({ changes: [], next: second.next });
    buy(world, "dora");
    await world.scan();
    const { changes } = await read(world, `?after=${second.next}`);
    expect(changes.map(({ name }) => name)).toEqual([full("dora")]);
  });

  test("are those of one name, one party, or both", async () => {
    const world = await startWith("ann", "bea");
    const { changes } = await read(world);
    const [ann, bea] = changes.map(({ owner }) => encodeURIComponent(owner ?? ""));
    const namesOf = async (search: string) => (await read(world, search)).changes.map(({ name }) => name);
    expect(await namesOf(`?name=${full("bea")}`)).toEqual([full("bea")]);
    expect(await namesOf(`?party=${ann}`)).toEqual([full("ann")]);
    expect(await namesOf(`?party=${bea}&name=${full("bea")}`)).toEqual([full("bea")]);
    expect(await namesOf(`?party=${ann}&name=${full("bea")}`)).toEqual([]);
  });
});

test("a text that is no party is refused, on a page and as a stream", async () => {
  const world = await startWith();
  for (const accept of ["application/json", "text/event-stream"]) {
    const { status, body } = await world.getJson(`${PATH}?party=ann`, { headers: { accept } });
    expect([status, body]).toEqual([
      400,
      { error: expect.stringContaining("Invalid unique identifier `ann` with missing namespace") },
    ]);
  }
});

test.each(["application/json, text/event-stream;q=0", "*/*", "text/event-streams"])(
  "a caller who accepts %s gets a page",
  async (accept) => {
    const world = await startWith();
    const { status, headers } = await world.get(PATH, { headers: { accept } });
    expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
  },
);

describe("events", () => {
  test("come as changes happen, from the next one on", async () => {
    const world = await startWith("ann");
    const listening = await Listening.open(world);
    expect(listening.response.headers.get("content-type")).toBe("text/event-stream");
    expect(listening.response.headers.get("cache-control")).toBe("no-store");
    buy(world, "bea");
    await world.scan();
    expect(await listening.next()).toMatchObject({ name: full("bea"), kind: "registered" });
    buy(world, "cleo");
    await world.scan();
    expect(await listening.next()).toMatchObject({ name: full("cleo") });
    listening.close();
  });

  test("resume behind an offset, and behind the last event before that", async () => {
    const world = await startWith("ann", "bea", "cleo");
    const whole = await Listening.open(world, "?after=0");
    const [ann, bea, cleo] = [await whole.next(), await whole.next(), await whole.next()];
    expect([ann.name, bea.name, cleo.name]).toEqual([full("ann"), full("bea"), full("cleo")]);
    whole.close();
    const behind = await Listening.open(world, `?after=${ann.id}`);
    expect(await behind.next()).toEqual(bea);
    behind.close();
    const resumed = await Listening.open(world, "?after=0", { "last-event-id": bea.id });
    expect(await resumed.next()).toEqual(cleo);
    resumed.close();
  });

  test("are those of one name alone", async () => {
    const world = await startWith("ann");
    const listening = await Listening.open(world, `?name=${full("cleo")}`);
    buy(world, "bea");
    await world.scan();
    buy(world, "cleo");
    await world.scan();
    expect(await listening.next()).toMatchObject({ name: full("cleo") });
    listening.close();
  });

  test.each(["x", "-1", "99999999999999999999", "1.5"])(
    "are refused behind the last event %s",
    async (id) => {
      const world = await startWith();
      const headers = { accept: "text/event-stream", "last-event-id": id };
      const { status, body } = await world.getJson(PATH, { headers });
      expect([status, body]).toEqual([
        400,
        { error: `last-event-id: '${id}' is not an offset of digits alone, as the ids of events are` },
      ]);
    },
  );

  /** Events as a listener takes them one by one. Nothing tells of changes, and time stands still. */
  function takeFrom(world: ScannedWorld) {
    const host = new VirtualHost();
    const quiet = { refresh: () => undefined, onApplied: () => undefined };
    const parts = { index: () => world.node.index, ...quiet, timers: host.timers };
    const query = { page_size: 1, after: 0n, name: null, party: null };
    const call = {
      address: "",
      header: (name: string) => (name === "accept" ? "text/event-stream" : undefined),
    };
    const { listNameChanges } = extChangeRoutes(parts);
    const stream = listNameChanges({ params: {}, query, body: undefined }, call as Call<null>);
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    return { host, blocks: (stream as EventStream).open(stop.signal)[Symbol.asyncIterator]() };
  }

  test("have a comment every fifteen seconds on a quiet log", async () => {
    const { host, blocks } = takeFrom(new ScannedWorld());
    expect((await blocks.next()).value).toBe("retry: 2000\nid: 0\n\n");
    for (let i = 0; i < 2; i++) {
      const next = blocks.next();
      await expect.poll(() => host.waiting).toBe(1);
      await host.advance(14_999);
      expect(host.waiting).toBe(1);
      await host.advance(1);
      expect((await next).value).toBe(":\n\n");
    }
  });

  test("have a change that comes while a listener still takes the ones before", async () => {
    const world = new ScannedWorld();
    const buyOne = async (label: string) => {
      world.buy(world.wallet(label), { name: full(label), url: "", description: "" });
      await world.scan();
    };
    await buyOne("ann");
    const { blocks } = takeFrom(world);
    await blocks.next();
    expect((await blocks.next()).value).toContain(full("ann"));
    await buyOne("bea");
    expect((await blocks.next()).value).toContain(full("bea"));
  });

  test("go to a bounded number of listeners of one address, which has a place again once one has gone", async () => {
    const world = await startWith("ann");
    const all = await Promise.all(
      Array.from({ length: MAX_FEED_LISTENERS_PER_ADDRESS }, () => Listening.open(world, "?after=0")),
    );
    expect((await listenFrom("127.0.0.1", world)).statusCode).toBe(429);
    const refused = await world.getJson(PATH, { headers: { accept: "text/event-stream" } });
    expect(refused.body).toEqual({
      error: expect.stringMatching(/^This address has 50 listeners .* of 200 in all: close one of them/),
    });
    expect((await listenFrom("127.0.0.2", world)).statusCode).toBe(200);
    expect((await world.get("/v0/dso-party-id")).status).toBe(200);
    all[0]?.close();
    await expect
      .poll(async () => {
        const again = await Listening.open(world);
        again.close();
        return again.response.status;
      })
      .toBe(200);
    for (const listening of all) listening.close();
  });

  test("go to a bounded number of listeners of all addresses", async () => {
    const world = await startWith("ann");
    const full = MAX_FEED_LISTENERS / MAX_FEED_LISTENERS_PER_ADDRESS;
    const places = Array.from({ length: MAX_FEED_LISTENERS }, (_, i) => `127.0.0.${1 + (i % full)}`);
    const all = await Promise.all(places.map((address) => listenFrom(address, world)));
    expect(new Set(all.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect((await listenFrom("127.0.0.9", world)).statusCode).toBe(503);
  });
});
