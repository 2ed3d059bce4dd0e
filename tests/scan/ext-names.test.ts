// Operations on names under /ext/v1: many at once, pages, all names of a party, and what a name would cost.

import { describe, expect, test } from "vitest";
import { scanApi } from "../../packages/api/src/scan/api.ts";
import type { WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";
import { SKELETON_SQL, skeletonOf } from "../../packages/scan/src/names/skeleton.ts";
import { Random } from "../support/random.ts";
import { seed } from "../support/seed.ts";
import { type ServedWorld, worldOfFile } from "./served-world.ts";

const LABELS = ["alice", "alice-2", "a1ice", "bob", "bob_2", "rnary", "mary", "ds0"];
let alice: WalletActor;

const world = worldOfFile((founded: ServedWorld) => {
  alice = founded.wallet("alice");
  const bob = founded.wallet("bob");
  for (const name of LABELS) {
    const owner = name.startsWith("bob") ? bob : alice;
    founded.buy(owner, { name: `${name}.unverified.cns`, url: "", description: "" });
  }
});

const full = (label: string) => `${label}.unverified.cns`;

interface Shown {
  readonly entries: readonly { readonly name: string }[];
  readonly next: string | null;
}

/** All pages, each with the names it has. */
async function readPages(path: string): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  let after = "";
  for (;;) {
    const { body } = await world().getJson(`${path}&after=${encodeURIComponent(after)}`);
    const { entries, next } = body as Shown;
    pages.push(entries.map(({ name }) => name));
    if (next === null) return pages;
    after = next;
  }
}

describe("POST /ext/v1/names/lookup", () => {
  const path = "/ext/v1/names/lookup";

  test("answers names and parties in the order of the request, each as its lookup does", async () => {
    const names = [full("bob"), "nobody.unverified.cns", "dso.cns", full("alice"), full("bob")];
    const parties = [world().network.dso, "nobody::1220", alice.party, "no party"];
    const { status, body } = await world().postJson(path, { names, parties });
    expect(status).toBe(200);
    const lookUp = async (by: string, given: string) => {
      const answer = await world().getJson(`/v0/ans-entries/${by}/${encodeURIComponent(given)}`);
      return answer.status === 200 ? answer.body : { entry: null };
    };
    expect(body).toEqual({
      names: await Promise.all(names.map((name) => lookUp("by-name", name))),
      parties: await Promise.all(parties.map((party) => lookUp("by-party", party))),
    });
    expect(JSON.stringify(body)).toContain(full("alice"));
  });

  test("takes a thousand names and parties together, and no more", async () => {
    const names = Array.from({ length: 600 }, (_, i) => full(`n${i}`));
    const parties = Array.from({ length: 400 }, () => alice.party);
    const { body } = await world().postJson(path, { names, parties });
    const answered = body as { names: unknown[]; parties: unknown[] };
    expect([answered.names.length, answered.parties.length]).toEqual([600, 400]);
    const { status, body: refused } = await world().postJson(path, { names: [...names, "one"], parties });
    expect([status, refused]).toEqual([
      400,
      {
        error:
          "Expected at most 1000 names and parties together, received 601 names and 400 parties. " +
          "Send them in several requests.",
      },
    ]);
  });

  test("answers empty lists to an empty request", async () => {
    expect(await world().postJson(path, {})).toEqual({ status: 200, body: { names: [], parties: [] } });
  });
});

describe("GET /ext/v1/names", () => {
  const sorted = [...LABELS.map(full)].sort();

  test.each([1, 2, 3, 1000])("has every name once, in pages of %i", async (size) => {
    const wellKnown = world()
      .node.index.wellKnown.find()
      ?.entries.map(({ name }) => name);
    const pages = await readPages(`/ext/v1/names?page_size=${size}`);
    expect(pages.flat()).toEqual([...sorted, ...(wellKnown ?? [])].sort());
    for (const page of pages.slice(0, -1)) expect(page.length).toBe(size);
  });

  test("has the names with a prefix", async () => {
    const pages = await readPages("/ext/v1/names?page_size=1&name_prefix=alice");
    expect(pages.flat()).toEqual(sorted.filter((name) => name.startsWith("alice")));
  });

  test.each([
    ["a name before the prefix", "a"],
    ["the prefix itself", "bob"],
    ["a name that is not there", "boa.unverified.cns"],
  ])("begins with the first name of the prefix behind %s", async (_, after) => {
    const { body } = await world().getJson(`/ext/v1/names?name_prefix=bob&after=${after}`);
    expect((body as Shown).entries.map(({ name }) => name)).toEqual([full("bob"), full("bob_2")]);
  });

  test("is empty behind the last name", async () => {
    const { body } = await world().getJson("/ext/v1/names?after=%F4%8F%BF%BF");
    expect(body).toEqual({ entries: [], next: null });
  });
});

describe("GET /ext/v1/parties/{party}/names", () => {
  const ofParty = (party: string, size = 1000) =>
    `/ext/v1/parties/${encodeURIComponent(party)}/names?page_size=${size}`;

  test("has all names of a party, and the one that a lookup by party finds", async () => {
    const owned = LABELS.filter((label) => !label.startsWith("bob"))
      .map(full)
      .sort();
    expect((await readPages(ofParty(alice.party, 2))).flat()).toEqual(owned);
    const { body } = await world().getJson(ofParty(alice.party));
    const { entry } = (await world().getJson(`/v0/ans-entries/by-party/${encodeURIComponent(alice.party)}`))
      .body as { readonly entry: unknown };
    expect((body as { readonly primary: unknown }).primary).toEqual(entry);
  });

  test("has the well-known names of the DSO", async () => {
    const { body } = await world().getJson(ofParty(world().network.dso));
    const { primary, entries } = body as Shown & { readonly primary: { readonly name: string } };
    expect([primary.name, entries.map(({ name }) => name)]).toEqual(["dso.cns", ["dso.cns"]]);
  });

  test("is empty for a party without names", async () => {
    const { body } = await world().getJson(ofParty("nobody::1220"));
    expect(body).toEqual({ primary: null, entries: [], next: null });
  });
});

describe("GET /ext/v1/names/{name}/availability", () => {
  const check = async (name: string) => {
    const { status, body } = await world().getJson(`/ext/v1/names/${encodeURIComponent(name)}/availability`);
    expect(status).toBe(200);
    const { success } = scanApi.endpoints.checkName;
    return success.schema.parse(body);
  };
  const alike = async (name: string) => (await check(name)).look_alikes.map((entry) => entry.name);

  test("says of a free name that it can be had, and what it costs in dollars and in coin", async () => {
    const price = { usd: "1.0000000000", amulet: "200.0000000000", amulet_price: "0.0050000000" };
    expect(await check("free")).toMatchObject({
      name: full("free"),
      valid: true,
      problem: null,
      available: true,
      entry: null,
      taken_until: null,
      price,
      look_alikes: [],
    });
  });

  test("says of a taken name by whom and until when", async () => {
    const { available, valid, entry, taken_until } = await check("bob");
    expect([available, valid, entry?.name]).toEqual([false, true, full("bob")]);
    expect(taken_until).toBe(entry?.expires_at);
    expect(taken_until).toMatch(/^\d{4}-/);
  });

  test.each([
    ["Alice", "Write it in lower case"],
    ["a.b", "there is a dot"],
    ["dso.cns", "there is a dot"],
  ])("says why %s cannot be registered", async (name, problem) => {
    const answer = await check(name);
    expect([answer.valid, answer.available]).toEqual([false, false]);
    expect(answer.problem).toContain(problem);
  });

  test("shows the well-known entry of a name that nobody can register", async () => {
    expect((await check("dso.cns")).entry?.user).toBe(world().network.dso);
  });

  test.each([
    ["a1ice", ["alice"]],
    ["al-ice", ["a1ice", "alice"]],
    ["marny", []],
    ["mary", ["rnary"]],
    ["b0b", ["bob"]],
    ["alicia", []],
  ])("finds live names that look like %s", async (name, expected) => {
    expect(await alike(name)).toEqual(expected.map(full));
  });

  test("finds well-known names that look like a name", async () => {
    expect(await alike("dso")).toEqual(["dso.cns", full("ds0")]);
  });
});

test("skeletons of the index equal those of names, and are found by the index", () => {
  const { database } = world().node.index.state;
  const random = new Random(seed);
  const letters = [
    "a",
    "b",
    "c",
    "l",
    "r",
    "n",
    "v",
    "i",
    "0",
    "1",
    "2",
    "5",
    "8",
    "9",
    "q",
    "-",
    "_",
    ".",
    "é",
  ];
  const select = database.prepare(`select ${SKELETON_SQL} as skeleton from (select ? as name)`);
  for (let i = 0; i < 2000; i++) {
    const name = Array.from({ length: random.below(12) }, () => random.pick(letters)).join("");
    expect([name, select.get(name)?.["skeleton"]]).toEqual([name, skeletonOf(name)]);
  }
  const plan = database.prepare(`explain query plan select name from name_entry where ${SKELETON_SQL} = ?`);
  expect(plan.all("x").map((row) => row["detail"])).toEqual([
    expect.stringContaining("INDEX name_entry_skeleton (<expr>=?)"),
  ]);
});
