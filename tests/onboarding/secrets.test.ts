// A secret lets one validator in, for 48 hours and not a microsecond longer, whatever its source.

import { describe, expect, test, vi } from "vitest";
import { statusOf } from "../support/call-outcome.ts";
import { HOUR, microsOf, Sponsor } from "./sponsor.ts";

describe("a secret lasts 48 hours", () => {
  test("a secret is taken up to the last microsecond, and refused in the next one", async () => {
    const sponsor = await Sponsor.start({ keepsExpired: true });
    const [early, late] = [await sponsor.newParty("early"), await sponsor.newParty("late")];
    const first = await sponsor.prepare();
    const second = await sponsor.prepare();
    sponsor.setClock(first.expiresAt - 1n);
    expect(await sponsor.onboard(early, first.secret)).toBe(200);
    const { validator_licenses } = await sponsor.operator.listValidatorLicenses();
    expect(microsOf(String(validator_licenses[0]?.payload["lastActiveAt"]))).toBe(first.expiresAt - 1n);
    sponsor.setClock(second.expiresAt);
    expect(await sponsor.onboard(late, second.secret)).toBe(401);
    expect(await sponsor.validators()).toEqual([early]);
    expect(await sponsor.states()).toEqual(["expired", "used"]);
  });

  test("one whose time ends while its entry is on its way is refused as any other that has expired", async () => {
    const sponsor = await Sponsor.start({ keepsExpired: true });
    const alice = await sponsor.newParty("alice");
    const { secret, expiresAt } = await sponsor.prepare();
    sponsor.setClockOnce(expiresAt - 1n, expiresAt);
    await expect(sponsor.anybody.onboardValidator({ body: { party_id: alice, secret } })).rejects.toThrow(
      /status 401.*Secret has expired/,
    );
    // The ledger was asked, and objected: it was not too late when the SV looked.
    expect(sponsor.node.replica.state.head.recordTime).toBe(expiresAt);
    expect(await sponsor.validators()).toEqual([]);
  });

  test.each([
    ["an operator's", async (sponsor: Sponsor) => (await sponsor.prepare()).secret],
    ["self-service", (sponsor: Sponsor) => sponsor.anybody.devNetOnboardValidatorPrepare()],
    ["configuration", async () => "expected-secret"],
  ])("it is so for %s", async (_, getSecret) => {
    const sponsor = await Sponsor.start({ app: { expectedSecrets: ["expected-secret"] } });
    const party = await sponsor.newParty("somebody");
    const secret = await getSecret(sponsor);
    const { validator_onboardings } = await sponsor.operator.listValidatorOnboardings({
      query: { limit: 1 },
    });
    const record = validator_onboardings[0];
    const life = microsOf(record?.expires_at ?? "") - microsOf(record?.made_at ?? "");
    // Between deciding on the end and being in the log, entries of a clock that stands are a microsecond apart.
    expect(life).toBeLessThanOrEqual(48n * HOUR);
    expect(life).toBeGreaterThan(48n * HOUR - 1000n);
    sponsor.setClock(microsOf(record?.expires_at ?? ""));
    expect(await sponsor.onboard(party, secret)).toBe(401);
    expect(await sponsor.validators()).toEqual([]);
  });

  test("an operator may ask for less, and for no more", async () => {
    const sponsor = await Sponsor.start();
    const party = await sponsor.newParty("somebody");
    const ask = (expires_in: number) => sponsor.operator.prepareValidatorOnboarding({ body: { expires_in } });
    const { secret } = await ask(60);
    for (const wrong of [0, -1, 172_801]) {
      await expect(ask(wrong)).rejects.toThrow(/status 400.*must be 1 to 172800 seconds/);
    }
    sponsor.setClock(sponsor.node.now() + 60_000_000n);
    expect(await sponsor.onboard(party, secret)).toBe(401);
  });

  test("the contract goes when its time is over, also on a quiet log; that it expired stays visible", async () => {
    const sponsor = await Sponsor.start();
    const alice = await sponsor.newParty("alice");
    const { secret } = await sponsor.operator.prepareValidatorOnboarding({
      body: { expires_in: 1, party_hint: "alice" },
    });
    const listOngoing = async () =>
      (await sponsor.operator.listOngoingValidatorOnboardings()).ongoing_validator_onboardings;
    expect(await listOngoing()).toMatchObject([{ encoded_secret: secret, party_hint: "alice" }]);
    expect(await sponsor.states()).toEqual(["unused"]);
    sponsor.setClock(sponsor.node.now() + 1_000_000n);
    await vi.waitUntil(async () => (await listOngoing()).length === 0, { timeout: 60_000 });
    const { validator_onboardings } = await sponsor.operator.listValidatorOnboardings({
      query: { state: "expired" },
    });
    expect(validator_onboardings).toMatchObject([{ party_hint: "alice", used_by: null, state: "expired" }]);
    await expect(sponsor.anybody.onboardValidator({ body: { party_id: alice, secret } })).rejects.toThrow(
      /status 401.*expired.*Ask the sponsor SV for another one/,
    );
  });
});

test("an SV that left expired secrets lying throws them away when it starts again", async () => {
  const sponsor = await Sponsor.start({ keepsExpired: true });
  await sponsor.prepare();
  await sponsor.node.moveClock(48n * HOUR);
  const listOngoing = async () =>
    (await sponsor.operator.listOngoingValidatorOnboardings()).ongoing_validator_onboardings;
  await sponsor.node.idle();
  expect(await listOngoing()).toHaveLength(1);
  expect(await sponsor.states()).toEqual(["expired"]);
  await sponsor.node.close();
  sponsor.keepsExpired = false;
  await sponsor.startNode();
  await sponsor.isReady();
  await vi.waitUntil(async () => (await listOngoing()).length === 0, { timeout: 60_000 });
  expect(await sponsor.states()).toEqual(["expired"]);
});

describe("an onboarding secret is used once", () => {
  test("the same party may come again, another one may not", async () => {
    const sponsor = await Sponsor.start();
    const [alice, bob] = [await sponsor.newParty("alice"), await sponsor.newParty("bob")];
    const { secret } = await sponsor.prepare();
    expect(await sponsor.onboard(alice, secret)).toBe(200);
    expect(await sponsor.onboard(alice, secret)).toBe(200);
    expect(await sponsor.onboard(bob, secret)).toBe(401);
    expect(await sponsor.validators()).toEqual([alice]);
    const { validator_onboardings } = await sponsor.operator.listValidatorOnboardings({
      query: { state: "used" },
    });
    expect(validator_onboardings).toMatchObject([{ used_by: alice, state: "used" }]);
    expect(
      (await sponsor.operator.listValidatorOnboardings({ query: { state: "unused" } })).validator_onboardings,
    ).toEqual([]);
  });

  test("a license outlives the secret that its party came in by", async () => {
    const sponsor = await Sponsor.start();
    const alice = await sponsor.newParty("alice");
    const { secret, expiresAt } = await sponsor.prepare();
    expect(await sponsor.onboard(alice, secret)).toBe(200);
    sponsor.setClock(expiresAt + 48n * HOUR);
    expect(await sponsor.onboard(alice, secret)).toBe(200);
  });

  test("of parties that come at once, one gets in; one party that comes often at once gets one license", async () => {
    const sponsor = await Sponsor.start();
    const parties: string[] = [];
    for (const hint of ["a", "b", "c", "d", "e"]) parties.push(await sponsor.newParty(hint));
    const { secret } = await sponsor.prepare();
    const statuses = await Promise.all(parties.map((party) => sponsor.onboard(party, secret)));
    expect(statuses.toSorted()).toEqual([200, 401, 401, 401, 401]);
    const winner = parties[statuses.indexOf(200)] as string;
    expect(await sponsor.validators()).toEqual([winner]);
    const other = parties.find((party) => party !== winner) as string;
    const secrets = [await sponsor.prepare(), await sponsor.prepare()].map((made) => made.secret);
    const again = [...secrets, ...secrets, ...secrets].map((each) => sponsor.onboard(other, each));
    expect(new Set(await Promise.all(again))).toEqual(new Set([200]));
    expect(await sponsor.validators()).toEqual([other, winner]);
  });

  test("a party with a license does not use up another secret", async () => {
    const sponsor = await Sponsor.start();
    const [alice, bob] = [await sponsor.newParty("alice"), await sponsor.newParty("bob")];
    const [first, second] = [await sponsor.prepare(), await sponsor.prepare()];
    expect(await sponsor.onboard(alice, first.secret)).toBe(200);
    expect(await sponsor.onboard(alice, second.secret)).toBe(200);
    expect(await sponsor.onboard(bob, second.secret)).toBe(200);
    expect(await sponsor.validators()).toEqual([bob, alice]);
  });
});

test("a license of a DSO that is not the network's is none: whoever made it needs a secret, and uses it up", async () => {
  const sponsor = await Sponsor.start();
  const [mallory, bob] = [await sponsor.newParty("mallory"), await sponsor.newParty("bob")];
  await sponsor.forgeLicense(mallory);
  expect(await sponsor.validators()).toEqual([]);
  const { secret } = await sponsor.prepare();
  expect(await sponsor.onboard(mallory, secret)).toBe(200);
  expect(await sponsor.validators()).toEqual([mallory]);
  expect(await sponsor.onboard(bob, secret)).toBe(401);
});

describe("a secret is replaced by another one", () => {
  test("both are valid until the operator withdraws the old one, without a restart", async () => {
    const sponsor = await Sponsor.start();
    const [alice, bob] = [await sponsor.newParty("alice"), await sponsor.newParty("bob")];
    const old = await sponsor.prepare();
    const fresh = await sponsor.prepare();
    const { validator_onboardings } = await sponsor.operator.listValidatorOnboardings();
    const contract_id = validator_onboardings[1]?.contract_id ?? "";
    const withdraw = () => sponsor.operator.withdrawValidatorOnboarding({ body: { contract_id } });
    await withdraw();
    await expect(
      sponsor.anybody.onboardValidator({ body: { party_id: alice, secret: old.secret } }),
    ).rejects.toThrow(/status 401.*Secret was withdrawn by the sponsor SV/);
    expect(await sponsor.onboard(alice, fresh.secret)).toBe(200);
    expect(await sponsor.onboard(bob, fresh.secret)).toBe(401);
    expect(await sponsor.states()).toEqual(["used", "expired"]);
    await expect(withdraw()).rejects.toThrow(/status 404.*No unused onboarding secret/);
    const used = { contract_id: validator_onboardings[0]?.contract_id ?? "" };
    await expect(sponsor.operator.withdrawValidatorOnboarding({ body: used })).rejects.toThrow(/status 404/);
    expect(await sponsor.validators()).toEqual([alice]);
  });

  test("a withdrawn one goes as often as it stands on the ledger, and no start makes it again", async () => {
    const sponsor = await Sponsor.start({ app: { expectedSecrets: ["leaked"] } });
    const alice = await sponsor.newParty("alice");
    await sponsor.putOnLedger("leaked");
    const { validator_onboardings } = await sponsor.operator.listValidatorOnboardings();
    const contract_id = validator_onboardings[0]?.contract_id ?? "";
    await sponsor.operator.withdrawValidatorOnboarding({ body: { contract_id } });
    expect(await sponsor.states()).toEqual(["expired", "expired"]);
    const restart = async (expectedSecrets: readonly string[]) => {
      const { sequencerUrl } = sponsor.node;
      await sponsor.node.close();
      await sponsor.startNode({ expectedSecrets }, Number(new URL(sequencerUrl).port));
      await sponsor.isReady();
    };
    await restart(["leaked"]);
    expect(await sponsor.onboard(alice, "leaked")).toBe(401);
    await restart(["another"]);
    expect(await sponsor.onboard(alice, "leaked")).toBe(401);
    expect(await sponsor.onboard(alice, "another")).toBe(200);
  });

  test("of a validator and an operator that come at once, one wins", async () => {
    const sponsor = await Sponsor.start();
    const alice = await sponsor.newParty("alice");
    const { secret } = await sponsor.prepare();
    const { validator_onboardings } = await sponsor.operator.listValidatorOnboardings();
    const contract_id = validator_onboardings[0]?.contract_id ?? "";
    const [onboarded, withdrawn] = await Promise.all([
      sponsor.onboard(alice, secret),
      statusOf(sponsor.operator.withdrawValidatorOnboarding({ body: { contract_id } })),
    ]);
    expect([
      [200, 404],
      [401, 200],
    ]).toContainEqual([onboarded, withdrawn]);
    expect(await sponsor.validators()).toEqual(onboarded === 200 ? [alice] : []);
  });
});

describe("a used secret stays used", () => {
  test("a license that was given back comes again for another secret, not for the same", async () => {
    const sponsor = await Sponsor.start();
    const alice = await sponsor.newParty("alice");
    const { secret } = await sponsor.prepare();
    await sponsor.onboard(alice, secret);
    await sponsor.cancelLicense(alice);
    await vi.waitUntil(async () => (await sponsor.validators()).length === 0, { timeout: 60_000 });
    await expect(sponsor.anybody.onboardValidator({ body: { party_id: alice, secret } })).rejects.toThrow(
      /status 401.*by this validator, whose license has been given back since.*another one/,
    );
    const { secret: other } = await sponsor.prepare();
    expect(await sponsor.onboard(alice, other)).toBe(200);
    expect(await sponsor.validators()).toEqual([alice]);
  });

  test("a secret that the SV put on the ledger several times counts as one", async () => {
    const sponsor = await Sponsor.start();
    const [alice, bob] = [await sponsor.newParty("alice"), await sponsor.newParty("bob")];
    await sponsor.putOnLedger("doubled");
    await sponsor.putOnLedger("doubled");
    expect(await sponsor.onboard(alice, "doubled")).toBe(200);
    await sponsor.putOnLedger("doubled");
    expect(await sponsor.onboard(bob, "doubled")).toBe(401);
    expect(await sponsor.onboard(alice, "doubled")).toBe(200);
    expect(await sponsor.validators()).toEqual([alice]);
    // The rest of them expires.
    expect(await sponsor.states()).toEqual(["unused", "used", "unused"]);
    await sponsor.node.moveClock(48n * HOUR);
    await sponsor.node.idle();
    expect(await sponsor.states()).toEqual(["expired", "used", "expired"]);
    expect((await sponsor.operator.listOngoingValidatorOnboardings()).ongoing_validator_onboardings).toEqual(
      [],
    );
    expect(await sponsor.onboard(bob, "doubled")).toBe(401);
  });
});

describe("a refusal", () => {
  test("a secret is refused to another party hint, at another SV, and if it is guessed", async () => {
    const sponsor = await Sponsor.start();
    const alice = await sponsor.newParty("alice");
    const { secret } = await sponsor.prepare("bob");
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64");
    const raw = JSON.parse(Buffer.from(secret, "base64").toString()) as { secret: string };
    const other = encode({ sponsoringSv: "sv-2::1220ab", secret: raw.secret, partyHint: null });
    const post = (body: object) =>
      sponsor.anybody.onboardValidator({ body: { party_id: alice, secret, ...body } });
    const refusals: readonly [object, RegExp][] = [
      [{}, /status 400.*party hint \\"bob\\".*this party's is \\"alice\\"/],
      [{ secret: other }, /status 400.*Secret is for SV sv-2::1220ab but this SV is sv-1::/],
      [{ secret: "guessed" }, /status 401.*Unknown secret/],
      [{ secret: "" }, /status 401.*Unknown secret/],
      [{ secret: "x".repeat(5000) }, /status 400.*secret: it has 5000 characters, and at most 4096/],
      [{ party_id: "alice" }, /status 400.*party_id/],
      [{ party_id: "" }, /status 400.*party_id/],
      [{ party_id: `alice::1220${"00".repeat(32)}` }, /status 400.*is not hosted on this network/],
      [{ party_hint: "carol" }, /status 400.*party_hint is \\"carol\\"/],
      [{ version: "v".repeat(256) }, /status 400.*version has 256 characters, and at most 255/],
      [{ contact_point: "é".repeat(256) }, /status 400.*contact_point has 256 characters/],
    ];
    for (const [body, expected] of refusals) await expect(post(body)).rejects.toThrow(expected);
    expect(await sponsor.validators()).toEqual([]);
    expect(await sponsor.states()).toEqual(["unused"]);
    const bob = await sponsor.newParty("bob");
    await post({
      party_id: bob,
      party_hint: "bob",
      version: "v".repeat(255),
      contact_point: "é".repeat(255),
    });
    const { validator_licenses } = await sponsor.operator.listValidatorLicenses();
    expect(validator_licenses).toMatchObject([
      { payload: { validator: bob, sponsor: sponsor.party, metadata: { contactPoint: "é".repeat(255) } } },
    ]);
  });

  test("a refusal never shows the secret", async () => {
    const sponsor = await Sponsor.start();
    const [alice, bob] = [await sponsor.newParty("alice"), await sponsor.newParty("bob")];
    const { secret } = await sponsor.prepare();
    const raw = (JSON.parse(Buffer.from(secret, "base64").toString()) as { secret: string }).secret;
    await sponsor.onboard(alice, secret);
    const say = async (party_id: string) => {
      const response = await fetch(`${sponsor.node.appUrl}/v0/onboard/validator`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ party_id, secret }),
      });
      return response.text();
    };
    for (const text of [
      await say(bob),
      await say("?"),
      JSON.stringify(await sponsor.operator.listValidatorOnboardings()),
    ]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(raw);
    }
  });

  test.each(["", "a::b", "a:", ":", "é", "a\u0000", "a".repeat(186)])(
    "no secret is made for a party hint that no party can have: %j",
    async (party_hint) => {
      const sponsor = await Sponsor.start();
      const body = { expires_in: 60, party_hint };
      await expect(sponsor.operator.prepareValidatorOnboarding({ body })).rejects.toThrow(
        /status 400.*party_hint is .*must be what a party id can begin with/,
      );
      expect(await sponsor.states()).toEqual([]);
    },
  );

  test("a network that is not for development hands out no secret by self-service", async () => {
    const sponsor = await Sponsor.start({ isDevNet: false });
    await expect(sponsor.anybody.devNetOnboardValidatorPrepare()).rejects.toThrow(
      /status 501.*not a network for development/,
    );
  });

  test("secrets are as many as an operator can look through; self-service leaves room", async () => {
    const sponsor = await Sponsor.start();
    const ask = () => statusOf(sponsor.operator.prepareValidatorOnboarding({ body: { expires_in: 60 } }));
    const served = () => statusOf(sponsor.anybody.devNetOnboardValidatorPrepare());
    const rush = await Promise.all(Array.from({ length: 30 }, served));
    expect(rush.filter((status) => status === 429).length).toBeGreaterThan(0);
    const taken = rush.filter((status) => status === 200).length;
    expect(taken).toBeGreaterThanOrEqual(20);
    for (let made = taken; made < 960; made += 50) {
      const some = Array.from({ length: Math.min(50, 960 - made) }, ask);
      expect(new Set(await Promise.all(some))).toEqual(new Set([200]));
    }
    const more = await Promise.all(Array.from({ length: 60 }, ask));
    expect(more.toSorted()).toEqual([...new Array(40).fill(200), ...new Array(20).fill(429)]);
    expect(await ask()).toBe(429);
    await expect
      .poll(async () => await sponsor.anybody.devNetOnboardValidatorPrepare().catch(String), {
        timeout: 60_000,
      })
      .toMatch(/429.*1000 onboarding secrets that nobody has used, and makes no more than 500/);
    // All of them expire, and there is room again.
    await sponsor.node.moveClock(61_000_000n);
    const countOpen = async () =>
      (await sponsor.operator.listOngoingValidatorOnboardings()).ongoing_validator_onboardings.length;
    await vi.waitUntil(async () => (await countOpen()) === taken, { timeout: 60_000, interval: 200 });
    expect(await ask()).toBe(200);
  });
});

describe("configuration", () => {
  test("an expected secret is put on the ledger once, however often the SV starts", async () => {
    const expectedSecrets = ["first-validator", "second-validator"];
    const sponsor = await Sponsor.start({ app: { expectedSecrets } });
    const [alice, bob] = [await sponsor.newParty("alice"), await sponsor.newParty("bob")];
    expect(await sponsor.states()).toEqual(["unused", "unused"]);
    expect(await sponsor.onboard(alice, "first-validator")).toBe(200);
    const restart = async () => {
      await sponsor.node.close();
      await sponsor.startNode();
      await sponsor.isReady();
    };
    await restart();
    expect(await sponsor.states()).toEqual(["unused", "used"]);
    expect(await sponsor.onboard(alice, "first-validator")).toBe(200);
    sponsor.setClock(sponsor.node.now() + 49n * HOUR);
    await restart();
    expect(await sponsor.onboard(bob, "second-validator")).toBe(401);
    await restart();
    await sponsor.node.idle();
    expect(await sponsor.onboard(bob, "second-validator")).toBe(401);
    expect(await sponsor.states()).toEqual(["expired", "used"]);
    expect(await sponsor.validators()).toEqual([alice]);
  });

  test.each([
    [["twice", "twice"], /expected twice/],
    [["twice", '{"sv":"sv-1::1220","secret":"twice"}'], /expected twice/],
    [[""], /has 0 characters/],
    [
      ["ok", Buffer.from('{"sponsoringSv":"sv-2::1220","secret":"x"}').toString("base64")],
      /secret 2 is for SV sv-2::1220/,
    ],
  ])("what cannot be meant stops the start: %j", async (expectedSecrets, message) => {
    const sponsor = await Sponsor.start();
    await sponsor.node.close();
    await expect(sponsor.startNode({ expectedSecrets })).rejects.toThrow(message);
  });
});
