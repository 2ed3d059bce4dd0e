// Bad input to every operation: an error of that API's shape, never a 500, nothing changed, and it goes on answering.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Api, Endpoint } from "../../packages/api/src/endpoint.ts";
import { localNetworkApi } from "../../packages/api/src/local-network/api.ts";
import { registryApi } from "../../packages/api/src/registry/api.ts";
import { scanApi } from "../../packages/api/src/scan/api.ts";
import { sequencerApi } from "../../packages/api/src/sequencer/api.ts";
import { validatorApi } from "../../packages/api/src/validator/api.ts";
import { apis } from "../../packages/api/testing/apis.ts";
import type { PlainAnswer } from "../../packages/node/testing/plain-request.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { Random } from "../support/random.ts";
import { seed } from "../support/seed.ts";
import { type Example, listBadRequests, sendRaw } from "./bad-requests.ts";

let world: LocalNetwork;
beforeAll(async () => {
  world = await LocalNetwork.start();
  await world.tap("app-user", "10");
  await world.buy("app-user", { name: "alice" });
});
afterAll(() => world?.close());

const random = new Random(seed);

interface Target {
  readonly api: Api;
  readonly url: () => string;
  readonly token: () => string | undefined;
}

const targets: readonly Target[] = [
  { api: scanApi, url: () => `${world.net.svs[0]?.scanUrl}/api/scan`, token: () => undefined },
  { api: registryApi, url: () => `${world.net.svs[0]?.scanUrl}`, token: () => undefined },
  {
    api: validatorApi,
    url: () => `${world.net.nodes["app-user"].validatorUrl}/api/validator`,
    token: () => world.net.nodes["app-user"].token,
  },
  { api: sequencerApi, url: () => `${world.net.svs[0]?.sequencerUrl}`, token: () => undefined },
  { api: localNetworkApi, url: () => world.net.developmentUrl, token: () => undefined },
];

const head = () => world.net.svs[0]?.replica.state.head.sequence;

/** `{"error": …}`, or a line of text: that is how Splice refuses, unless the operation has a body of its own. */
function isRefusal(
  { type, status, body: text }: PlainAnswer,
  { id, errorBodies = {} }: Partial<Endpoint> = {},
): boolean {
  // Splice answers without a body that no migration is planned.
  if (status === 404 && text === "") return id === "getMigrationSchedule";
  if (type.startsWith("text/plain")) return text.trim() !== "";
  if (!type.startsWith("application/json")) return false;
  const body = JSON.parse(text) as { readonly error?: unknown };
  const own = errorBodies[status];
  if (own !== undefined) return own.safeParse(body).success;
  return typeof body.error === "string" && body.error !== "" && Object.keys(body).length === 1;
}

async function looksWell(
  answer: PlainAnswer,
  before: unknown,
  endpoint: Endpoint,
): Promise<readonly string[]> {
  const { status, type, body } = answer;
  const problems: string[] = [];
  const isOffered = !endpoint.errors.includes(501);
  if (status >= 500 && (status !== 501 || isOffered)) problems.push(`${status}`);
  if (status >= 400 && !isRefusal(answer, endpoint)) problems.push(`${status} says ${type} ${body}`);
  if (status >= 400 && head() !== before) problems.push(`${status}, and the log went on`);
  return problems.map((problem) => problem.slice(0, 300));
}

describe.each(targets)("$api.name", ({ api, url, token }) => {
  const examples = apis.find((each) => each.api.name === api.name)?.examples ?? {};

  test.each(Object.values<Endpoint>(api.endpoints))("$id", async (endpoint) => {
    const example = examples[endpoint.id]?.request as Example | undefined;
    expect(example, "the operation has an example").toBeDefined();
    const problems: string[] = [];
    for (const bad of listBadRequests(endpoint, example ?? {}, random)) {
      const before = head();
      const answer = await sendRaw(url(), bad, token());
      const found = await looksWell(answer, before, endpoint);
      for (const problem of found) problems.push(`${bad.what}: ${problem}`);
    }
    expect(problems).toEqual([]);
  });
});

test("the clock cannot be moved beyond the year 9900", async () => {
  for (const forwardSeconds of [Number.MAX_SAFE_INTEGER, 1e15, 300_000_000_000, 253_402_300_800]) {
    const before = head();
    const body = JSON.stringify({ forwardSeconds });
    const bad = { what: "far", method: "POST", path: "/ext/v1/clock", body, contentType: "application/json" };
    const answer = await sendRaw(world.net.developmentUrl, bad);
    expect([forwardSeconds, answer.status]).toEqual([forwardSeconds, 400]);
    expect(isRefusal(answer)).toBe(true);
    expect(head()).toBe(before);
  }
});

test("bad requests have changed nothing, and names can still be bought", async () => {
  for (const number of ["1", "2", "3", "4"]) {
    await world.development.setScanBehaviour({ params: { number }, body: { behaviour: "honest" } });
  }
  expect(await world.owned("app-user")).toEqual(["alice.unverified.cns"]);
  await world.buy("app-user", { name: "afterwards" });
  for (const scan of [1, 2, 3, 4]) {
    expect(await world.owner("afterwards.unverified.cns", scan)).toBe(await world.party("app-user"));
  }
  expect(await world.digestsAgree()).toBe(true);
});
