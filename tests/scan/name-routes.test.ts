import { createClient, scanApi } from "@callsign/api";
import { describe, expect, test } from "vitest";
import { HOUR } from "../../packages/ledger/src/values/duration.ts";
import { addDuration, formatTime } from "../../packages/ledger/src/values/time.ts";
import { NaiveIndex } from "./naive-index.ts";
import { ServedWorld, worldOfFile } from "./served-world.ts";

const NAME = "alice.unverified.cns";
const TERMS = { name: NAME, url: "https://alice.example/", description: 'Alice\'s shop: "é"' };
const byName = (name: string) => `/v0/ans-entries/by-name/${encodeURIComponent(name)}`;
const byParty = (party: string) => `/v0/ans-entries/by-party/${encodeURIComponent(party)}`;

/** A network in which alice has a name. Tests that change it start one of their own. */
const shop = worldOfFile((world) => world.buy(world.wallet("alice"), TERMS));
const aliceOf = (world: ServedWorld) => world.entry(NAME).payload.user;

describe("a lookup", () => {
  test("shows the entry as the contract has it, by name and by party, with and without the prefix", async () => {
    const world = shop();
    const { contractId, payload } = world.entry(NAME);
    const entry = {
      contract_id: contractId,
      user: aliceOf(world),
      name: NAME,
      url: TERMS.url,
      description: TERMS.description,
      expires_at: formatTime(payload.expiresAt),
    };
    for (const prefix of ["", "/api/scan"]) {
      for (const path of [byName(NAME), byParty(aliceOf(world))]) {
        const { status, headers, text } = await world.get(prefix + path);
        expect(status).toBe(200);
        expect(headers.get("content-type")).toMatch(/^application\/json/);
        // The order of the keys, and nothing else beside them.
        expect(text).toBe(JSON.stringify({ entry }));
      }
    }
  });

  test("of the DSO and of an SV has nulls where no contract is", async () => {
    const world = shop();
    const nothing = { contract_id: null, url: "", description: "", expires_at: null };
    const dso = { entry: { ...nothing, user: world.network.dso, name: "dso.cns" } };
    const sv = { entry: { ...nothing, user: world.network.svs[2]?.party, name: "sv-3.sv.cns" } };
    expect(await world.getJson(byName("dso.cns"))).toEqual({ status: 200, body: dso });
    expect(await world.getJson(byParty(world.network.dso))).toEqual({ status: 200, body: dso });
    expect(await world.getJson(byName("sv-3.sv.cns"))).toEqual({ status: 200, body: sv });
    expect(await world.getJson(byParty(world.network.svs[2]?.party ?? ""))).toEqual({
      status: 200,
      body: sv,
    });
  });

  test.each([
    "bob.unverified.cns",
    "alice",
    "ALICE.unverified.cns",
    "DSO.cns",
    "Sv-1.sv.cns",
    "alice.unverified.cns ",
    "é 'quoted' \"twice\" %2F ü",
  ])("of the unknown name %j says so", async (name) => {
    const world = shop();
    const error = `No ans entry found for name: ${name}`;
    expect(await world.getJson(byName(name))).toEqual({ status: 404, body: { error } });
  });

  test("of a party without a name says so", async () => {
    const world = shop();
    const bob = world.wallet("bob").party;
    await world.scan();
    for (const party of [bob, "x::y", aliceOf(world).replace("alice", "Alice")]) {
      const error = `No ans entry found for party: ${party}`;
      expect(await world.getJson(byParty(party))).toEqual({ status: 404, body: { error } });
    }
  });

  const allowed = "letters, digits, ':', '-', '_' and spaces";
  test.each([
    ["alice", "Invalid unique identifier `alice` with missing namespace."],
    ["::x", "Invalid unique identifier `::x` with empty identifier."],
    ["al/ice::1220", `Identifier decoding of \`al/ice\` failed with: it takes 1 to 185 ${allowed}`],
    ["alice::", `Fingerprint decoding of \`\` failed with: it takes 1 to 68 ${allowed}`],
    ["alice::12é", `Fingerprint decoding of \`12é\` failed with: it takes 1 to 68 ${allowed}`],
  ])("refuses the party %j", async (party, error) => {
    const world = shop();
    expect(await world.getJson(byParty(party))).toEqual({ status: 400, body: { error } });
  });

  test("refuses a party whose parts are too long, and takes the longest", async () => {
    const world = shop();
    const refusal = async (party: string) => (await world.getJson(byParty(party))).body;
    const [hint, fingerprint] = ["a".repeat(185), "1".repeat(68)];
    expect(await refusal(`${hint}::${fingerprint}`)).toEqual({
      error: `No ans entry found for party: ${hint}::${fingerprint}`,
    });
    expect(await refusal(`${hint}a::${fingerprint}`)).toEqual({
      error: `Identifier decoding of \`${hint}a\` failed with: it takes 1 to 185 ${allowed}`,
    });
    expect(await refusal(`${hint}::${fingerprint}1`)).toEqual({
      error: `Fingerprint decoding of \`${fingerprint}1\` failed with: it takes 1 to 68 ${allowed}`,
    });
  });

  test("refuses a name that is far too long, and half a character", async () => {
    const world = shop();
    expect((await world.get(byName("a".repeat(2066)))).status).toBe(404);
    expect((await world.get(byName("a".repeat(2067)))).status).toBe(400);
    const half = await world.get("/v0/ans-entries/by-name/%E9");
    expect(half.status).toBe(400);
    expect(half.text).not.toBe("");
  });

  test("before there are DsoRules finds nothing, and the list is empty", async () => {
    // The node has not read a single entry yet.
    const world = await ServedWorld.start({ behindAll: true });
    const unknown = { status: 404, body: { error: "No DsoRules contract found" } };
    expect(await world.getJson(byName(NAME))).toEqual(unknown);
    expect(await world.getJson(byParty("alice::1220"))).toEqual(unknown);
    expect(await world.getJson("/v0/ans-entries")).toEqual({ status: 200, body: { entries: [] } });
  });

  test("sees a name to the microsecond of its expiry, and not after it", async () => {
    const world = await ServedWorld.start();
    world.buy(world.wallet("alice"), TERMS);
    await world.scan();
    const { expiresAt } = world.entry(NAME).payload;
    const paths = [byName(NAME), byParty(aliceOf(world))];
    const statuses = async () => Promise.all(paths.map(async (path) => (await world.get(path)).status));
    const listed = async () => (await world.get("/v0/ans-entries?name_prefix=alice")).text.includes(NAME);
    for (const [moment, status] of [
      [addDuration(expiresAt, -1n), 200],
      [expiresAt, 200],
      [addDuration(expiresAt, 1n), 404],
    ] as const) {
      world.network.advanceTo(moment);
      await world.scan();
      expect(await statuses()).toEqual([status, status]);
      expect(await listed()).toBe(status === 200);
    }
  });

  test("by party answers the next name when the first one has expired or a smaller one is bought", async () => {
    const world = await ServedWorld.start();
    const alice = world.wallet("alice");
    const nameOf = async () => {
      await world.scan();
      const { body } = await world.getJson(byParty(alice.party));
      return (body as { entry?: { name: string } }).entry?.name;
    };
    world.buy(alice, { name: "b.unverified.cns" });
    expect(await nameOf()).toBe("b.unverified.cns");
    const { expiresAt } = world.entry("b.unverified.cns").payload;
    world.network.advance(1_000_000n);
    world.buy(alice, { name: "c.unverified.cns" });
    expect(await nameOf()).toBe("b.unverified.cns");
    world.network.advanceTo(expiresAt);
    expect(await nameOf()).toBe("b.unverified.cns");
    world.network.advanceTo(addDuration(expiresAt, 1n));
    expect(await nameOf()).toBe("c.unverified.cns");
    world.buy(alice, { name: "a.unverified.cns" });
    expect(await nameOf()).toBe("a.unverified.cns");
  });
});

describe("the list of names", () => {
  /** Names whose order by bytes differs from that of a dictionary. */
  const labels = ["zeta", "al-pha", "al_pha", "alpha", "al0", "al"];

  const many = worldOfFile((world) => {
    const wallet = world.wallet("many");
    for (const label of labels) world.buy(wallet, { name: `${label}.unverified.cns` });
  });

  const names = (body: unknown) => (body as { entries: { name: string }[] }).entries.map(({ name }) => name);

  test("has registered names in the order of bytes, then the DSO's and the SVs'", async () => {
    const world = many();
    const registered = labels.map((label) => `${label}.unverified.cns`);
    const inBytes = registered.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const wellKnown = ["dso.cns", "sv-1.sv.cns", "sv-2.sv.cns", "sv-3.sv.cns", "sv-4.sv.cns"];
    const naive = new NaiveIndex(world.network.state);
    for (const path of ["/v0/ans-entries", "/api/scan/v0/ans-entries?page_size=1000&name_prefix="]) {
      const { status, body } = await world.getJson(path);
      expect(status).toBe(200);
      expect(names(body)).toEqual([...inBytes, ...wellKnown]);
      expect(body).toEqual({ entries: naive.list("", 100) });
    }
    for (const prefix of ["al", "al-", "al.", "alp", "AL", "s", "dso", "d", "é", "%", "al_"]) {
      const { body } = await world.getJson(`/v0/ans-entries?name_prefix=${encodeURIComponent(prefix)}`);
      expect(body).toEqual({ entries: naive.list(prefix, 100) });
    }
  });

  test("ends with the page: well-known names take what room is left", async () => {
    const world = many();
    const all = names((await world.getJson("/v0/ans-entries")).body);
    for (const size of [1, 5, 6, 7, 10, 11, 12]) {
      const { body } = await world.getJson(`/v0/ans-entries?page_size=${size}`);
      expect(names(body)).toEqual(all.slice(0, size));
    }
  });

  test("without a page size has a hundred", async () => {
    const world = many();
    const wallet = world.wallet("busy");
    // With six names and five well-known ones they are more than a hundred.
    for (let i = 0; i < 90; i++) {
      // Traffic comes with time.
      if (i % 25 === 0) world.network.advance(HOUR);
      world.buy(wallet, { name: `busy-${1000 + i}.unverified.cns` });
    }
    await world.scan();
    for (const query of ["", "?page_size="]) {
      expect(names((await world.getJson(`/v0/ans-entries${query}`)).body)).toHaveLength(100);
    }
  });

  test.each([
    ["0", "Limit must be at least 1."],
    ["-5", "Limit must be at least 1."],
    ["1001", "Exceeded limit maximum (1001 > 1000)."],
    ["2147483647", "Exceeded limit maximum (2147483647 > 1000)."],
  ])("refuses a page of %s", async (size, error) => {
    const world = shop();
    const path = `/v0/ans-entries?page_size=${size}`;
    expect(await world.getJson(path)).toEqual({ status: 400, body: { error } });
  });

  test.each(["abc", "1.5", "2147483648", "1e3", "%20"])(
    "refuses a page of %s, which is no number",
    async (size) => {
      const world = shop();
      const { status, headers, text } = await world.get(`/v0/ans-entries?page_size=${size}`);
      expect(status).toBe(400);
      expect(headers.get("content-type")).toMatch(/^text\/plain/);
      const given = decodeURIComponent(size);
      const reason = `'${given}' is not a valid 32-bit signed integer value`;
      expect(text).toBe(`The query parameter 'page_size' was malformed:\n${reason}`);
    },
  );
});

test("a typed client reads what is served", async () => {
  const world = shop();
  const client = createClient(scanApi, { fetch, baseUrl: `${world.url}/api/scan` });
  const found = await client.lookupAnsEntryByName({ params: { name: NAME } });
  expect(found.entry.user).toBe(aliceOf(world));
  const page = await client.listAnsEntries({ query: { name_prefix: "al", page_size: 3 } });
  expect(page.entries).toEqual([found.entry]);
});
