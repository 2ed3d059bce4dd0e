// An SV's operator sees and does this through the SV app, and nobody else does.

import { beforeAll, describe, expect, test } from "vitest";
import { type Endpoint, svApi } from "../../packages/api/src/index.ts";
import { formatInstant, type Time } from "../../packages/ledger/src/index.ts";
import { makeToken } from "../../packages/localnet/src/tokens.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { newSigner, type Signer, startKeyServer } from "../../packages/node/testing/key-server.ts";
import { automationOf } from "../support/automation-of.ts";
import { statusOf } from "../support/call-outcome.ts";
import { microsOf, Sponsor } from "./sponsor.ts";

const atEnd = atEndOfFile();
let sponsor: Sponsor;

beforeAll(async () => {
  sponsor = await Sponsor.start({ atEnd });
});

const operations = Object.values<Endpoint>(svApi.endpoints);
const admin = operations.filter(({ auth }) => auth === "sv-operator");

/** The call as it is, with or without a body, but never one that would be taken. */
function send({ method, path }: Endpoint, init: { token?: string; body?: string } = {}): Promise<Response> {
  const { token, body } = init;
  return fetch(`${sponsor.node.appUrl}/api/sv${path.replace(/\{\w+\}/, "00ab")}`, {
    method,
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body }),
  });
}

describe("the operators' endpoints", () => {
  test.each(admin.map((endpoint) => [endpoint.id, endpoint] as const))(
    "%s: its operators alone",
    async (_, endpoint) => {
      const missing = await send(endpoint);
      expect([missing.status, missing.headers.get("www-authenticate")]).toEqual([
        401,
        'Bearer realm="splice sv realm"',
      ]);
      expect(await missing.text()).toContain("requires authentication");
      const invalid = await send(endpoint, { token: "made.up.token" });
      expect([invalid.status, await invalid.text()]).toEqual([401, "The supplied authentication is invalid"]);
      // With bodies the right is asked for once they are read.
      if (endpoint.body !== undefined) return;
      const stranger = await send(endpoint, { token: await makeToken("app-user") });
      expect([stranger.status, await stranger.json()]).toEqual([
        403,
        { error: "Authorization Failed for app-user" },
      ]);
    },
  );

  test("a stranger's well-formed calls change nothing", async () => {
    const stranger = sponsor.as(await makeToken("app-user"));
    const head = sponsor.node.replica.state.head.sequence;
    const vote_request_contract_id = "00ab";
    const calls = [
      stranger.prepareValidatorOnboarding({ body: { expires_in: 60 } }),
      stranger.withdrawValidatorOnboarding({ body: { contract_id: "00ab" } }),
      stranger.updateAmuletPriceVote({ body: { amulet_price: "1" } }),
      stranger.listVoteRequestsByTrackingCid({ body: { vote_request_contract_ids: [] } }),
      stranger.createVoteRequest({
        body: { requester: "", action: {}, url: "", description: "", expiration: {} },
      }),
      stranger.castVote({
        body: { vote_request_contract_id, is_accepted: true, reason_url: "", reason_description: "" },
      }),
    ];
    expect(await Promise.all(calls.map(statusOf))).toEqual(calls.map(() => 403));
    expect(sponsor.node.replica.state.head.sequence).toBe(head);
  });

  test("without operators configured nobody is one; without authentication everybody is", async () => {
    const closed = await Sponsor.start({ app: { operators: [] } });
    expect(await statusOf(closed.operator.isAuthorized())).toBe(403);
    const open = await Sponsor.start({ app: { auth: { kind: "none" } } });
    expect(await statusOf(open.anybody.isAuthorized())).toBe(200);
  });
});

describe("operators with tokens of an identity provider", () => {
  test("signed by its key, for this audience, of an operator; a key that nobody knows is refused", async () => {
    const [signer, stranger] = [await newSigner("RS256"), await newSigner("RS256")];
    const keys = await startKeyServer([signer.publicJwk]);
    const audience = "https://sv.example";
    const app = { auth: { kind: "jwks", jwksUrl: keys.url, audience }, operators: ["auth0|ops"] } as const;
    const jwks = await Sponsor.start({ app });
    const statusFor = async (by: Signer, sub: string, aud: string) =>
      statusOf(jwks.as(await by.sign({ sub, aud })).isAuthorized());
    expect(await statusFor(signer, "auth0|ops", audience)).toBe(200);
    expect(await statusFor(signer, "auth0|somebody", audience)).toBe(403);
    expect(await statusFor(signer, "auth0|ops", "https://validator.example")).toBe(401);
    expect(await statusFor(stranger, "auth0|ops", audience)).toBe(401);
    // The user that the token names for the ledger comes before its subject.
    const named = {
      sub: "auth0|somebody",
      aud: audience,
      "https://canton-network": { daml_user: "auth0|ops" },
    };
    expect(await statusOf(jwks.as(await signer.sign(named)).isAuthorized())).toBe(200);
    // A token signed by a shared secret is refused here, whoever it names.
    expect(await statusOf(jwks.operator.isAuthorized())).toBe(401);
    expect(await statusOf(jwks.anybody.devNetOnboardValidatorPrepare())).toBe(200);
  });

  test("while its keys cannot be had operators are refused, and validators come in", async () => {
    const signer = await newSigner("ES256");
    const keys = await startKeyServer([signer.publicJwk], { behaviour: "error" });
    const app = { auth: { kind: "jwks", jwksUrl: keys.url, audience: "sv" }, operators: ["ops"] } as const;
    const jwks = await Sponsor.start({ app });
    const token = await signer.sign({ sub: "ops", aud: "sv" });
    expect(await statusOf(jwks.as(token).isAuthorized())).toBe(401);
    const secret = await jwks.anybody.devNetOnboardValidatorPrepare();
    expect(await jwks.onboard(await jwks.newParty("alice"), secret)).toBe(200);
  });
});

test("before there is a network it answers after its health alone, and says what it waits for", async () => {
  const early = await Sponsor.begin();
  const health = async (path: string) => (await fetch(`${early.node.appUrl}/api/sv${path}`)).status;
  expect([await health("/readyz"), await health("/livez"), await health("/version")]).toEqual([
    503, 200, 200,
  ]);
  const body = { party_id: early.party, secret: "x" };
  for (const call of [
    () => early.anybody.onboardValidator({ body }),
    () => early.anybody.devNetOnboardValidatorPrepare(),
    () => early.anybody.getDsoInfo(),
    () => early.operator.listValidatorLicenses(),
  ]) {
    await expect(call()).rejects.toThrow(/status 503.*The SV is not ready: the network is not founded yet/);
  }
  expect(await statusOf(early.anybody.listValidatorLicenses())).toBe(401);
  await early.found();
  expect((await early.operator.listValidatorLicenses()).validator_licenses).toEqual([]);
});

describe("bad input", () => {
  const bodies = operations.filter(({ body }) => body !== undefined);
  test.each(bodies.map((endpoint) => [endpoint.id, endpoint] as const))("%s", async (_, endpoint) => {
    for (const body of ["", "{", "null", "[]", "7", "{}", '{"secret":7}']) {
      const response = await send(endpoint, { token: sponsor.token, body });
      expect([body, response.status]).toEqual([body, 400]);
    }
  });

  test.each([
    ["/v0/admin/validator/licenses?limit=0", 400],
    ["/v0/admin/validator/licenses?limit=1001", 400],
    ["/v0/admin/validator/licenses?after=x", 400],
    ["/v0/admin/validator/onboarding/all?state=lost", 400],
    ["/v0/admin/validator/onboarding/all?limit=-1", 400],
    ["/v0/admin/sv/voterequests/%FF", 400],
    ["/v0/admin/sv/voterequests/00ab", 404],
    ["/v0/nothing", 404],
  ])("%s: %i", async (path, status) => {
    const headers = { authorization: `Bearer ${sponsor.token}` };
    expect((await fetch(`${sponsor.node.appUrl}/api/sv${path}`, { headers })).status).toBe(status);
  });
});

describe("the network", () => {
  test("the DSO's rules, as its scan shows them", async () => {
    const info = await sponsor.anybody.getDsoInfo();
    const scan = await (await fetch(`${sponsor.node.scanUrl}/v0/dso`)).json();
    expect(info).toEqual(scan);
    expect(info.sv_party_id).toBe(sponsor.party);
  });

  test("its health names the port it listens on", async () => {
    const { node } = sponsor;
    for (const [role, url] of Object.entries({ sv: node.appUrl, scan: node.scanUrl })) {
      const status = await (await fetch(`${url}/status`)).json();
      expect(status).toMatchObject({
        success: { id: `${role} sv-1`, ports: { admin: Number(new URL(url).port) } },
      });
    }
  });

  test("the open rounds, by number", async () => {
    const { open_mining_rounds } = await sponsor.operator.listOpenMiningRounds();
    expect(open_mining_rounds.map(({ payload }) => payload["round"])).toEqual(
      [0, 1, 2].map((number) => ({ number: String(number) })),
    );
  });

  test("every automation, with what it does not do", async () => {
    const { automations } = await sponsor.operator.listAutomations();
    const paused = automations.filter((each) => each.paused).map(({ automation }) => automation);
    expect(paused).toContain("advance-rounds");
    expect(automations.find(({ automation }) => automation === "expire-onboardings")).toMatchObject({
      paused: false,
      stuck: [],
    });
  });

  test("the automation that throws secrets away counts what it did", async () => {
    const alone = await Sponsor.start();
    const find = () => automationOf(alone.operator, "expire-onboardings");
    await alone.operator.prepareValidatorOnboarding({ body: { expires_in: 60 } });
    expect(await find()).toMatchObject({
      done: 0,
      last_done_at: null,
      next_due_at: expect.stringMatching(/Z$/),
    });
    await alone.node.moveClock(61_000_000n);
    await alone.node.idle();
    expect(await find()).toMatchObject({
      done: 1,
      failed: 0,
      next_due_at: null,
      last_done_at: expect.stringMatching(/Z$/),
    });
  });
});

test("an automation that the operator pauses does nothing until it is resumed", async () => {
  const alone = await Sponsor.start();
  const name = "expire-onboardings";
  const pause = (paused: boolean, automation: string = name) =>
    alone.operator.pauseAutomation({ params: { automation }, body: { paused } });
  expect(await pause(true)).toMatchObject({ automation: name, paused: true });
  await alone.operator.prepareValidatorOnboarding({ body: { expires_in: 60 } });
  await alone.node.moveClock(61_000_000n);
  await alone.node.idle();
  expect(await automationOf(alone.operator, name)).toMatchObject({ paused: true, done: 0 });
  expect(await pause(false)).toMatchObject({ paused: false });
  await alone.node.idle();
  expect(await automationOf(alone.operator, name)).toMatchObject({ paused: false, done: 1 });
  await expect(pause(true, "expire-onboarding")).rejects.toThrow(/is no automation of an SV/);
});

describe("the coin's price", () => {
  test("the SV's vote on the price is changed, not again for a while, and not to nonsense", async () => {
    const alone = await Sponsor.start();
    const vote = (amulet_price: string) => alone.operator.updateAmuletPriceVote({ body: { amulet_price } });
    const own = async () => {
      const { amulet_price_votes } = await alone.operator.listAmuletPriceVotes();
      return amulet_price_votes.map(({ payload }) => [payload["sv"], payload["amuletPrice"]]);
    };
    for (const wrong of ["", "0", "-1", "0.00000000001", "1e3", "a lot", "1".repeat(29)]) {
      await expect(vote(wrong)).rejects.toThrow(/status 400.*amulet_price is /);
    }
    await vote("0.25");
    expect(await own()).toEqual([[alone.party, "0.25"]]);
    await expect(vote("0.3")).rejects.toThrow(/status 400.*may vote again at 2027-/);
    // The same once more is nothing new.
    await vote("0.250");
    const [made] = (await alone.operator.listAmuletPriceVotes()).amulet_price_votes;
    const nextAllowed = microsOf(String(made?.payload["lastUpdatedAt"])) + 60_000_000n;
    alone.setClock(nextAllowed - 1n);
    await expect(vote("0.3")).rejects.toThrow(/status 400.*may vote again at/);
    alone.setClock(nextAllowed);
    await vote("0.3");
    expect(await own()).toEqual([[alone.party, "0.3"]]);
  });
});

describe("votes", () => {
  const request = (requester: string, action: object) => ({
    body: {
      requester,
      action: action as never,
      url: "https://sv.example/why",
      description: "why",
      expiration: { microseconds: "3600000000" },
    },
  });
  const right = {
    tag: "SRARC_RevokeFeaturedAppRight",
    value: { rightCid: `00${"ab".repeat(32)}ca101220${"cd".repeat(32)}` },
  };
  const action = { tag: "ARC_DsoRules", value: { dsoAction: right } };

  test("a request is made, found by its first id, and voted on", async () => {
    const alone = await Sponsor.start();
    const { operator, party } = alone;
    await operator.createVoteRequest(request(party, action));
    await expect(operator.createVoteRequest(request(party, action))).rejects.toThrow(
      /status 400.*already been created/,
    );
    const [made] = (await operator.listDsoRulesVoteRequests()).dso_rules_vote_requests;
    const first = made?.contract_id ?? "";
    const body = {
      vote_request_contract_id: first,
      is_accepted: false,
      reason_url: "",
      reason_description: "no",
    };
    await expect(operator.castVote({ body })).rejects.toThrow(
      /status 400.*This SV has voted at 20\S+Z, and may vote again at 20\S+Z: send the vote then/,
    );
    await alone.node.moveClock(60_000_000n);
    const answer = await fetch(`${alone.node.appUrl}/api/sv/v0/admin/sv/votes`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${alone.token}` },
      body: JSON.stringify(body),
    });
    expect([answer.status, await answer.text()]).toEqual([201, ""]);
    const found = await operator.lookupDsoRulesVoteRequest({ params: { vote_request_contract_id: first } });
    expect(found.dso_rules_vote_request.contract_id).not.toBe(first);
    expect(JSON.stringify(found.dso_rules_vote_request.payload["votes"])).toContain('"accept":false');
    const { vote_requests } = await operator.listVoteRequestsByTrackingCid({
      body: { vote_request_contract_ids: [first, "00ab", found.dso_rules_vote_request.contract_id] },
    });
    expect(vote_requests.map(({ contract_id }) => contract_id)).toEqual([
      found.dso_rules_vote_request.contract_id,
    ]);
  });

  test("of requests for the same that come at once, one is made", async () => {
    const { operator, party } = await Sponsor.start();
    const calls = [1, 2, 3].map(() => operator.createVoteRequest(request(party, action)));
    expect((await Promise.all(calls.map(statusOf))).toSorted()).toEqual([200, 400, 400]);
    expect((await operator.listDsoRulesVoteRequests()).dso_rules_vote_requests).toHaveLength(1);
  });

  test("nothing takes effect before the vote has ended", async () => {
    const { operator, party, node } = await Sponsor.start();
    const ask = (effectiveTime: string) => {
      const { body } = request(party, action);
      return operator.createVoteRequest({ body: { ...body, effectiveTime } });
    };
    for (const early of ["2020-01-01T00:00:00Z", formatInstant((node.now() + 3_599_999_999n) as Time)]) {
      await expect(ask(early)).rejects.toThrow(/status 400.*effectiveTime: it is 20.*must not be before/);
    }
    // The entry itself is a moment later.
    await ask(formatInstant((node.now() + 3_600_001_000n) as Time));
    const { dso_rules_vote_requests } = await operator.listDsoRulesVoteRequests();
    expect(dso_rules_vote_requests).toHaveLength(1);
  });

  test("a request leaves time to vote", async () => {
    const { operator, party } = await Sponsor.start();
    const { body } = request(party, action);
    for (const microseconds of ["0", "-1"]) {
      await expect(
        operator.createVoteRequest({ body: { ...body, expiration: { microseconds } } }),
      ).rejects.toThrow(`expiration: it is ${microseconds} microseconds, and must be more than 0`);
    }
  });

  test("reasons are as long as the rules allow, in characters of any kind", async () => {
    const { operator, party } = await Sponsor.start();
    const { body } = request(party, action);
    const long = "🙂".repeat(1025);
    for (const field of ["url", "description"]) {
      await expect(operator.createVoteRequest({ body: { ...body, [field]: long } })).rejects.toThrow(
        new RegExp(`status 400.*${field}: it has 1025 characters, and at most 1024 are allowed`),
      );
    }
    await operator.createVoteRequest({ body: { ...body, url: "🙂".repeat(1024), description: "" } });
    const [made] = (await operator.listDsoRulesVoteRequests()).dso_rules_vote_requests;
    expect(made?.payload["reason"]).toEqual({ url: "🙂".repeat(1024), body: "" });
    for (const field of ["reason_url", "reason_description"]) {
      const vote = { is_accepted: true, reason_url: "", reason_description: "", [field]: long };
      await expect(
        operator.castVote({ body: { vote_request_contract_id: made?.contract_id ?? "", ...vote } }),
      ).rejects.toThrow(`${field}: it has 1025 characters`);
    }
  });

  test.each([
    ["another SV's", "sv-2::1220", action, /requester: it is sv-2::1220, and must be this SV/],
    ["no action", null, { tag: "ARC_Nothing", value: {} }, /action: /],
    ["half an action", null, { tag: "ARC_DsoRules", value: {} }, /action: /],
  ])("%s is refused", async (_, requester, given, message) => {
    await expect(
      sponsor.operator.createVoteRequest(request(requester ?? sponsor.party, given)),
    ).rejects.toThrow(message);
  });
});
