// A validator becomes one at its first start, by the secret it is configured with, and starts again without.

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { startValidator, type Validator, type ValidatorConfig } from "@callsign/validator";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { listen } from "../../packages/api/testing/table-server.ts";
import { silentLog } from "../../packages/node/src/observability/log.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { ADMIN, AUDIENCE, SECRET, tokenFor } from "../support/participants.ts";
import { Sponsor } from "./sponsor.ts";

const HINT = "some-validator-1";

/** A validator on the sponsor's network; the same folder is the same validator. */
async function start(sponsor: Sponsor, folder: string, change: Partial<ValidatorConfig>): Promise<Validator> {
  const participant = await sponsor.participant();
  const token = await tokenFor(ADMIN);
  const validator = await startValidator({
    dataFolder: folder,
    host: "127.0.0.1",
    port: 0,
    participantUrl: participant.url,
    scans: [`${sponsor.node.scanUrl}/api/scan`],
    auth: { kind: "hs256", secret: SECRET, audience: AUDIENCE },
    serviceUser: { userId: ADMIN, token: () => token },
    walletUsers: ["somebody"],
    operatorPartyHint: HINT,
    log: silentLog,
    ...change,
  });
  onTestFinished(() => validator.close());
  return validator;
}

const svUrlOf = (sponsor: Sponsor) => `${sponsor.node.appUrl}/api/sv`;

async function isReady(validator: Validator): Promise<void> {
  await vi.waitUntil(() => validator.isReady(), { timeout: 60_000 });
}

/** Why it is not ready, as its probe says. */
async function missing(validator: Validator): Promise<string> {
  const response = await fetch(`${validator.url}/api/validator/readyz`);
  expect(await response.text()).toBe("");
  return response.headers.get("x-callsign-missing") ?? "";
}

/** Of a validator that is not ready yet. */
async function partyOf(sponsor: Sponsor): Promise<string> {
  const { admin } = await sponsor.participant();
  const { partyDetails } = await admin.listParties({ query: { "filter-party": `${HINT}::` } });
  return partyDetails[0]?.party ?? "";
}

test("a validator shows its secret once, and starts again without one or with a useless one", async () => {
  const sponsor = await Sponsor.start({ app: { expectedSecrets: ["plain-secret"] } });
  const folder = temporaryFolder();
  const onboarding = { svUrl: svUrlOf(sponsor), secret: "plain-secret" };
  const first = await start(sponsor, folder, { onboarding, contactPoint: "ops@validator.example" });
  await isReady(first);
  const { validator_licenses } = await sponsor.operator.listValidatorLicenses();
  expect(validator_licenses).toMatchObject([
    {
      payload: {
        validator: first.operatorParty(),
        sponsor: sponsor.party,
        metadata: { contactPoint: "ops@validator.example", version: "0.6.3" },
      },
    },
  ]);
  await first.close();
  for (const again of [{}, { onboarding }, { onboarding: { svUrl: "http://127.0.0.1:9", secret: "gone" } }]) {
    const next = await start(sponsor, folder, again);
    await isReady(next);
    await next.close();
  }
  expect(await sponsor.validators()).toEqual([first.operatorParty()]);
});

test("one that dies before it hears of its license starts again with the same secret", async () => {
  const sponsor = await Sponsor.start();
  const { secret } = await sponsor.prepare(HINT);
  const folder = temporaryFolder();
  const silent = await silentProxy(svUrlOf(sponsor));
  const first = await start(sponsor, folder, { onboarding: { svUrl: silent, secret } });
  await vi.waitUntil(async () => (await sponsor.validators()).length === 1, { timeout: 60_000 });
  expect(first.isReady()).toBe(false);
  await first.close();
  const second = await start(sponsor, folder, { onboarding: { svUrl: svUrlOf(sponsor), secret } });
  await isReady(second);
  expect(await sponsor.validators()).toEqual([second.operatorParty()]);
});

describe("a validator without a license", () => {
  test.each([
    ["a wrong secret", async () => "guessed", /answers 401: Unknown secret.*Check that it is whole/],
    [
      "a secret for another party",
      async (sponsor: Sponsor) => (await sponsor.prepare("other")).secret,
      /answers 400: .*party hint "other"/,
    ],
    [
      "a secret that has expired",
      async (sponsor: Sponsor) => {
        const { secret, expiresAt } = await sponsor.prepare();
        sponsor.setClock(expiresAt);
        return secret;
      },
      /answers 401: Secret has expired.*Ask the sponsor SV for another one/,
    ],
    [
      "a secret that another validator has used",
      async (sponsor: Sponsor) => {
        const { secret } = await sponsor.prepare();
        expect(await sponsor.onboard(await sponsor.newParty("other-validator-1"), secret)).toBe(200);
        return secret;
      },
      /answers 401: Secret has already been used for a different validator.*Ask the sponsor SV for another one/,
    ],
    [
      "a secret of another SV",
      async () => {
        const secret = { sponsoringSv: "sv-2::1220", secret: "c2VjcmV0", partyHint: null };
        return Buffer.from(JSON.stringify(secret)).toString("base64");
      },
      /answers 400: Secret is for SV sv-2::1220 but this SV is .*validate your SV sponsor URL/,
    ],
  ])(
    "%s: its probe says what to do, and a license that comes otherwise is enough",
    async (_, getSecret, reason) => {
      const sponsor = await Sponsor.start();
      const secret = await getSecret(sponsor);
      const onboarding = { svUrl: svUrlOf(sponsor), secret };
      const validator = await start(sponsor, temporaryFolder(), { onboarding });
      await vi.waitUntil(async () => reason.test(await missing(validator)), { timeout: 60_000 });
      expect(await missing(validator)).not.toContain(secret);
      const help = await sponsor.prepare();
      expect(await sponsor.onboard(await partyOf(sponsor), help.secret)).toBe(200);
      await isReady(validator);
      expect(await sponsor.validators()).toContain(validator.operatorParty());
    },
  );

  test("a sponsor and no secret, on a DevNet: it asks for one by itself", async () => {
    const sponsor = await Sponsor.start();
    const validator = await start(sponsor, temporaryFolder(), { onboarding: { svUrl: svUrlOf(sponsor) } });
    await isReady(validator);
    expect(await sponsor.states()).toEqual(["used"]);
  });

  test("a sponsor and no secret, elsewhere: its probe says that a secret is needed", async () => {
    const sponsor = await Sponsor.start({ isDevNet: false });
    const validator = await start(sponsor, temporaryFolder(), {
      onboarding: { svUrl: svUrlOf(sponsor), secret: "" },
    });
    const reason =
      /no onboarding secret is configured, and the sponsor SV at .* answers 501: .* Configure the secret/;
    await vi.waitUntil(async () => reason.test(await missing(validator)), { timeout: 60_000 });
    expect(validator.missing()).toMatch(reason);
  });

  test("no onboarding configured: it waits until somebody has made it a validator", async () => {
    const sponsor = await Sponsor.start();
    const validator = await start(sponsor, temporaryFolder(), {});
    await vi.waitUntil(async () => (await missing(validator)).includes("no onboarding is configured"), {
      timeout: 60_000,
    });
    const { secret } = await sponsor.prepare();
    expect(await sponsor.onboard(await partyOf(sponsor), secret)).toBe(200);
    await isReady(validator);
  });

  test("an address that is a scan's is told as one", async () => {
    const sponsor = await Sponsor.start();
    const onboarding = { svUrl: `${sponsor.node.scanUrl}/api/sv`, secret: "any" };
    const validator = await start(sponsor, temporaryFolder(), { onboarding });
    const reason = /answers 404: .*At this address a scan answers: give the sponsor SV's own/;
    await vi.waitUntil(async () => reason.test(await missing(validator)), { timeout: 60_000 });
  });

  test("a sponsor that does not answer is asked again, and does not keep the validator from closing", async () => {
    const sponsor = await Sponsor.start({ app: { expectedSecrets: ["plain-secret"] } });
    const folder = temporaryFolder();
    const onboarding = { svUrl: "http://127.0.0.1:9/api/sv", secret: "plain-secret" };
    const validator = await start(sponsor, folder, { onboarding });
    await vi.waitUntil(
      async () => (await missing(validator)).includes("127.0.0.1:9/api/sv does not answer"),
      {
        timeout: 60_000,
      },
    );
    await validator.close();
  });
});

test.each([
  [
    "no address",
    { svUrl: "sv.example.com/api/sv", secret: "x" },
    /onboarding.svUrl: this is not the sponsor SV's/,
  ],
  [
    "another kind of address",
    { svUrl: "ftp://sv.example.com", secret: "x" },
    /onboarding.svUrl: this is not/,
  ],
  [
    "a password in it",
    { svUrl: "https://ops:hunter2@sv.example.com", secret: "x" },
    /^(?!.*hunter2).*svUrl: this is not/,
  ],
])("what cannot be meant stops its start: %s", async (_, onboarding, message) => {
  const sponsor = await Sponsor.start();
  await expect(start(sponsor, temporaryFolder(), { onboarding })).rejects.toThrow(message);
});

test("folders from before there were licenses: the validator gets one, and the SV knows who has", async () => {
  const sponsor = await Sponsor.start();
  const folder = temporaryFolder();
  const before = await start(sponsor, folder, {});
  await vi.waitUntil(async () => (await partyOf(sponsor)) !== "", { timeout: 60_000 });
  await vi.waitUntil(async () => (await missing(before)).includes("no onboarding"), { timeout: 60_000 });
  await before.close();
  // A license of nobody's DSO is no license, neither to the validator nor to the SV.
  await sponsor.forgeLicense(await partyOf(sponsor));
  await forgetApp(sponsor, ["plain-secret"]);
  const onboarding = { svUrl: svUrlOf(sponsor), secret: "plain-secret" };
  const after = await start(sponsor, folder, { onboarding });
  await isReady(after);
  const party = after.operatorParty() as string;
  await after.close();
  await forgetApp(sponsor, ["plain-secret"]);
  expect(await sponsor.validators()).toEqual([party]);
  expect(await sponsor.states()).toEqual(["used"]);
  expect(await sponsor.onboard(party, "plain-secret")).toBe(200);
  const { amulet_price_votes } = await sponsor.operator.listAmuletPriceVotes();
  expect(amulet_price_votes.map(({ payload }) => payload["sv"])).toEqual([sponsor.party]);
});

/** The SV starts again with a database that has nothing of the app's. */
async function forgetApp(sponsor: Sponsor, expectedSecrets: readonly string[]): Promise<void> {
  const { sequencerUrl } = sponsor.node;
  await sponsor.node.close();
  const database = new DatabaseSync(join(sponsor.folder, "sv-1", "replica.db"));
  database.exec(`
    drop table sv_onboarding;
    drop table sv_dso_contract;
    delete from consumer_kind where consumer = 'sv-app';
    delete from store_version where store = 'sv-app';
  `);
  database.close();
  await sponsor.startNode({ expectedSecrets }, Number(new URL(sequencerUrl).port));
  await sponsor.isReady();
}

/** Passes requests on, and never answers. */
async function silentProxy(target: string): Promise<string> {
  const { url, close } = await listen(async (incoming) => {
    const path = (incoming.url ?? "").replace(/^\/api\/sv/, "");
    const body = await text(incoming);
    await fetch(target + path, { method: "POST", headers: { "content-type": "application/json" }, body });
  });
  onTestFinished(close);
  return `${url}/api/sv`;
}
