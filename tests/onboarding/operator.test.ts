// What an SV's operator sees and does through the SV app, and that nobody else does.

import { beforeAll, describe, expect, test } from "vitest";
import { type Endpoint, svApi } from "../../packages/api/src/index.ts";
import { makeToken } from "../../packages/localnet/src/tokens.ts";
import { atEndOfFile } from "../participant/test-network.ts";
import { Sponsor, statusOf } from "./sponsor.ts";

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

describe("who may", () => {
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
    const find = async () =>
      (await alone.operator.listAutomations()).automations.find(
        ({ automation }) => automation === "expire-onboardings",
      );
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

describe("the coin's price", () => {
  test("this SV's vote is changed, not again for a while, and not to nonsense", async () => {
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
    await alone.node.moveClock(60_000_000n);
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
    await expect(operator.castVote({ body })).rejects.toThrow(/status 400.*voteCooldownTime/);
    await alone.node.moveClock(60_000_000n);
    await operator.castVote({ body });
    const found = await operator.lookupDsoRulesVoteRequest({ params: { vote_request_contract_id: first } });
    expect(found.dso_rules_vote_request.contract_id).not.toBe(first);
    expect(JSON.stringify(found.dso_rules_vote_request.payload["votes"])).toContain('"accept":false');
    const { vote_requests } = await operator.listVoteRequestsByTrackingCid({
      body: { vote_request_contract_ids: [first, "00ab", found.dso_rules_vote_request.contract_id] },
    });
    expect(new Set(vote_requests.map(({ contract_id }) => contract_id)).size).toBe(1);
  });

  test.each([
    ["another SV's", "sv-2::1220", action, /requester is sv-2::1220, and must be this SV/],
    ["no action", null, { tag: "ARC_Nothing", value: {} }, /action: /],
    ["half an action", null, { tag: "ARC_DsoRules", value: {} }, /action: /],
  ])("%s is refused", async (_, requester, given, message) => {
    await expect(
      sponsor.operator.createVoteRequest(request(requester ?? sponsor.party, given)),
    ).rejects.toThrow(message);
  });
});
