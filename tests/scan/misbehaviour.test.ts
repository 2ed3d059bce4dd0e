import { check, scanApi } from "@callsign/api";
import { afterEach, expect, test } from "vitest";
import { AmuletRules } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import { MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { formatTime } from "../../packages/ledger/src/values/time.ts";
import { entryOf, ServedWorld, worldOfFile } from "./served-world.ts";

const byName = (name: string) => `/api/scan/v0/ans-entries/by-name/${name}`;
const byParty = (party: string) => `/api/scan/v0/ans-entries/by-party/${encodeURIComponent(party)}`;
/** Of an even length and of an odd one: a liar denies the first and gives the second away. */
const [EVEN, ODD] = ["alice.unverified.cns", "bill.unverified.cns"];

const shared = worldOfFile((world) => {
  for (const [owner, name] of [
    ["alice", EVEN],
    ["bill", ODD],
  ] as const)
    world.buy(world.wallet(owner), { name });
});
const ownerOf = (name: string) => shared().entry(name).payload.user;
afterEach(() => shared().misbehaviour.behave("honest"));

test("a liar gives names away, denies them and makes them up, always in the right shape", async () => {
  const world = shared();
  const { endpoints } = scanApi;
  world.misbehaviour.behave("lie");
  expect(await world.getJson(byName(EVEN))).toEqual({
    status: 404,
    body: { error: `No ans entry found for name: ${EVEN}` },
  });
  const given = await world.getJson(byName(ODD));
  expect(given.status).toBe(200);
  expect(check(endpoints.lookupAnsEntryByName.success.schema, given.body).ok).toBe(true);
  const { name, user, contract_id } = entryOf(given.body);
  expect({ name, contract_id }).toEqual({ name: ODD, contract_id: world.entry(ODD).contractId });
  expect(user).not.toBe(ownerOf(ODD));
  for (const path of [byName("nobody.unverified.cns"), byParty("nobody::1220")]) {
    const invented = await world.getJson(path);
    expect(invented.status).toBe(200);
    expect(check(endpoints.lookupAnsEntryByName.success.schema, invented.body).ok).toBe(true);
  }
  expect(entryOf((await world.getJson(byParty(ownerOf(ODD)))).body)["user"]).not.toBe(ownerOf(ODD));
  const list = await world.getJson("/v0/ans-entries");
  expect(check(endpoints.listAnsEntries.success.schema, list.body).ok).toBe(true);
  expect(JSON.stringify(list.body)).not.toContain(ownerOf(ODD));
});

test("a liar has other rules, fees and a DSO of its own", async () => {
  const world = shared();
  const paths = ["/v0/dso-party-id", "/v0/dso", "/v0/amulet-config-for-round", "/v0/rewards-collected"];
  const rules = ["/v0/ans-rules", "/v0/amulet-rules"];
  const ask = async () => [
    ...(await Promise.all(paths.map(async (path) => (await world.get(path)).text))),
    ...(await Promise.all(rules.map(async (path) => (await world.post(path, "{}")).text))),
  ];
  const honest = await ask();
  world.misbehaviour.behave("lie");
  const told = await ask();
  for (const [i, text] of told.entries()) expect(text).not.toBe(honest[i]);
  const ansRules = JSON.parse(told[4] ?? "");
  expect(ansRules.ans_rules_update.contract.payload.config.entryFee).not.toBe("1.0");
  expect(check(scanApi.endpoints.getAnsRules.success.schema, ansRules).ok).toBe(true);
  expect(check(scanApi.endpoints.getDsoInfo.success.schema, JSON.parse(told[1] ?? "")).ok).toBe(true);
  // It lies about what it says, not about whether it lives, nor when it was asked nonsense.
  expect((await world.get("/readyz")).status).toBe(200);
  expect((await world.get("/v0/ans-entries?page_size=0")).status).toBe(400);
  expect((await world.get("/v0/amulet-config-for-round?round=99")).status).toBe(404);
  world.misbehaviour.behave("honest");
  expect(await ask()).toEqual(honest);
});

test("a lagging scan stands still, and catches up when it is honest again", async () => {
  const world = shared();
  const then = formatTime(world.network.now);
  const carol = world.wallet("carol");
  await world.scan();
  world.misbehaviour.behave("lag");
  const lagging = formatTime(world.network.now);
  expect(lagging).not.toBe(then);
  world.buy(carol, { name: "carol.unverified.cns" });
  world.network.advance(20n * MINUTE);
  world.dso.advanceRounds();
  await world.scan();
  // Asking for lag once more does not move it.
  world.misbehaviour.behave("lag");
  const late = await world.get(byName("carol.unverified.cns"));
  expect(late.status).toBe(404);
  expect(late.headers.get("x-callsign-record-time")).toBe(lagging);
  expect(entryOf((await world.getJson(byName(EVEN))).body)["user"]).toBe(ownerOf(EVEN));
  expect(entryOf((await world.getJson(byParty(ownerOf(EVEN)))).body)["name"]).toBe(EVEN);
  const rules = await world.postJson("/v0/amulet-rules", {});
  expect(rules.body).toHaveProperty(
    "amulet_rules_update.contract.contract_id",
    world.network.only(AmuletRules).contractId,
  );
  expect((await world.get("/v0/amulet-config-for-round?round=3")).status).toBe(404);
  world.misbehaviour.behave("honest");
  expect((await world.get(byName("carol.unverified.cns"))).status).toBe(200);
  expect((await world.get("/v0/amulet-config-for-round?round=3")).status).toBe(200);
});

test("a lagging scan never reaches a record time that it is asked to wait for", async () => {
  const world = await ServedWorld.start({ maxWaitMilliseconds: 300 });
  world.misbehaviour.behave("lag");
  world.network.advance(MINUTE);
  const headers = { "x-callsign-wait-for": formatTime(world.network.now) };
  await world.scan();
  expect((await world.get("/v0/dso-party-id", { headers })).status).toBe(503);
  world.misbehaviour.behave("honest");
  expect((await world.get("/v0/dso-party-id", { headers })).status).toBe(200);
});

test("a scan in error answers every call with an error", async () => {
  const world = shared();
  world.misbehaviour.behave("error");
  for (const path of [byName(ODD), "/v0/ans-entries?page_size=x", "/v0/dso", "/readyz"]) {
    const body = { error: "An unexpected error occurred." };
    expect(await world.getJson(path)).toEqual({ status: 500, body });
  }
  world.misbehaviour.behave("honest");
  expect((await world.get(byName(ODD))).status).toBe(200);
});

test("a stopped scan cuts every connection", async () => {
  const world = shared();
  world.misbehaviour.behave("stop");
  for (const path of [byName(ODD), "/v0/dso", "/livez"]) {
    await expect(world.get(path)).rejects.toThrow("fetch failed");
  }
  world.misbehaviour.behave("honest");
  expect((await world.get(byName(ODD))).status).toBe(200);
});

test("a hanging scan answers nothing, and drops hanging calls when its behaviour changes", async () => {
  const world = shared();
  world.misbehaviour.behave("hang");
  const hanging = world.get(byName(ODD)).then(
    () => "answered",
    () => "cut",
  );
  const patience = AbortSignal.timeout(2000);
  await expect(world.get(byName(ODD), { signal: patience })).rejects.toThrow(/timeout/);
  world.misbehaviour.behave("honest");
  expect(await hanging).toBe("cut");
  expect((await world.get(byName(ODD))).status).toBe(200);
});
