// The local network's validators come in through its first SV's app, and every SV knows them.

import { beforeAll, expect, test, vi } from "vitest";
import { createClient, svApi } from "../../packages/api/src/index.ts";
import { NODE_NAMES } from "../../packages/localnet/src/ports.ts";
import { type Localnet, startLocalnet } from "../../packages/localnet/src/start-localnet.ts";
import { makeToken, NODE_SETTINGS } from "../../packages/localnet/src/tokens.ts";
import type { Log } from "../../packages/node/src/observability/log.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { statusOf } from "../support/call-outcome.ts";
import type { SvClient } from "../support/network-clients.ts";
import { HOUR, microsOf } from "./sponsor.ts";

const atEnd = atEndOfFile();
const folder = temporaryFolder(atEnd);
const lines: string[] = [];
let network: Localnet;
let token = "";

/** Everything that would be logged, at every level. */
function collect(): Log {
  const write = (fields: object, message: string) => {
    lines.push(
      `${JSON.stringify(fields, (_, value) => (typeof value === "bigint" ? `${value}` : value))} ${message}`,
    );
  };
  const log: Log = { debug: write, info: write, warn: write, error: write, child: () => log };
  return log;
}

beforeAll(async () => {
  token = await makeToken("sv");
  network = await startLocalnet({ dataFolder: folder, log: collect() });
  atEnd(() => network.close());
});

function sv(number: number): SvClient {
  const baseUrl = `${network.svs[number - 1]?.appUrl}/api/sv`;
  return createClient(svApi, { fetch, baseUrl, token: () => token });
}

async function validators(number: number): Promise<readonly string[]> {
  const { validator_licenses } = await sv(number).listValidatorLicenses();
  return validator_licenses.map(({ payload }) => String(payload["validator"])).toSorted();
}

const own = () => NODE_NAMES.map((name) => network.nodes[name].validator.operatorParty() ?? "").toSorted();

test("its three validators have one license each, which the first SV sponsored and every SV shows", async () => {
  await network.settle();
  for (const number of [1, 2, 3, 4]) expect(await validators(number)).toEqual(own());
  const { validator_licenses } = await sv(4).listValidatorLicenses();
  const info = await sv(1).getDsoInfo();
  for (const { payload } of validator_licenses) expect(payload["sponsor"]).toBe(info.sv_party_id);
  const { validator_onboardings } = await sv(1).listValidatorOnboardings();
  expect(validator_onboardings.map(({ state }) => state)).toEqual(["used", "used", "used"]);
  expect((await sv(2).listValidatorOnboardings()).validator_onboardings).toEqual([]);
});

test("a page of licenses leads to the next, newest first, and the last is empty", async () => {
  const pages: string[] = [];
  let after: bigint | null = null;
  for (;;) {
    const page: Awaited<ReturnType<SvClient["listValidatorLicenses"]>> = await sv(1).listValidatorLicenses({
      query: { limit: 2, ...(after === null ? {} : { after }) },
    });
    if (page.next_page_token === null) break;
    pages.push(...page.validator_licenses.map(({ contract_id }) => contract_id));
    after = BigInt(page.next_page_token);
  }
  const { validator_licenses } = await sv(1).listValidatorLicenses();
  expect(pages).toEqual(validator_licenses.map(({ contract_id }) => contract_id));
  const times = validator_licenses.map(({ created_at }) => microsOf(created_at));
  expect(times).toEqual(times.toSorted((a, b) => Number(b - a)));
});

test("an SV's secret is good at that SV alone, until two days have passed on the network's clock", async () => {
  const party_id = network.nodes["app-user"].validator.operatorParty() ?? "";
  const secret = await sv(2).devNetOnboardValidatorPrepare();
  const onboard = (number: number) => statusOf(sv(number).onboardValidator({ body: { party_id, secret } }));
  expect([await onboard(3), await onboard(2)]).toEqual([400, 200]);
  await network.moveClock(49n * HOUR);
  const { validator_onboardings } = await sv(2).listValidatorOnboardings();
  expect(validator_onboardings.map(({ state }) => state)).toEqual(["expired"]);
  expect((await sv(2).listOngoingValidatorOnboardings()).ongoing_validator_onboardings).toEqual([]);
  expect(await onboard(2)).toBe(401);
});

test("SVs that vote at once all get their vote in", async () => {
  const { sv_party_id: requester } = await sv(1).getDsoInfo();
  for (const place of [1, 2, 3, 4]) {
    const rightCid = `00${`0${place}`.repeat(32)}ca101220${"cd".repeat(32)}`;
    const dsoAction = { tag: "SRARC_RevokeFeaturedAppRight", value: { rightCid } };
    const action = { tag: "ARC_DsoRules", value: { dsoAction } };
    const expiration = { microseconds: "3600000000" };
    await sv(1).createVoteRequest({ body: { requester, action, url: "", description: "", expiration } });
    const [made] = (await sv(1).listDsoRulesVoteRequests()).dso_rules_vote_requests;
    const vote_request_contract_id = made?.contract_id ?? "";
    const cast = (number: number, is_accepted: boolean) =>
      sv(number).castVote({
        body: { vote_request_contract_id, is_accepted, reason_url: "", reason_description: "" },
      });
    for (const number of [2, 3]) {
      const params = { vote_request_contract_id };
      await vi.waitUntil(
        async () => (await statusOf(sv(number).lookupDsoRulesVoteRequest({ params }))) === 200,
        { timeout: 60_000 },
      );
    }
    // Two of four for it, one against: nothing is decided, so that nobody closes the vote.
    await Promise.all([cast(2, true), cast(3, false)]);
    const votes = async () => {
      const found = await sv(1).lookupDsoRulesVoteRequest({ params: { vote_request_contract_id } });
      return found.dso_rules_vote_request.payload["votes"] as [string, { accept: boolean }][];
    };
    await vi.waitUntil(async () => (await votes()).length === 3, { timeout: 60_000 });
    expect((await votes()).map(([name, { accept }]) => [name, accept])).toEqual([
      ["sv-1", true],
      ["sv-2", true],
      ["sv-3", false],
    ]);
  }
});

test("the network starts again long after its secrets have expired, without new ones, and has logged none", async () => {
  const before = own();
  await network.close();
  network = await startLocalnet({ dataFolder: folder, log: collect() });
  expect(own()).toEqual(before);
  await network.settle();
  expect(await validators(1)).toEqual(before);
  expect(lines.length).toBeGreaterThan(0);
  for (const name of NODE_NAMES) {
    const { onboardingSecret } = NODE_SETTINGS[name];
    expect(lines.filter((line) => line.includes(onboardingSecret))).toEqual([]);
  }
});
