/** Answers whose text is kept: the fast lane and the general path give the same bytes. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Balance } from "../../packages/api/src/validator/wallet.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { makeToken, TOKEN_AUDIENCE } from "../../packages/localnet/src/tokens.ts";
import { askTogether, comparable, type RawAnswer } from "../scan/raw-answers.ts";
import { LocalNetwork, TICK } from "../support/local-network.ts";
import { Random } from "../support/random.ts";
import { signToken } from "../support/sign-token.ts";

let world: LocalNetwork;
beforeAll(async () => {
  world = await LocalNetwork.start();
});
afterAll(() => world?.close());

interface Answer {
  readonly latest_mining_round: {
    readonly contract: { readonly payload: { readonly round: { number: string } } };
  };
}

/** Headers by which the lane takes a request or leaves it. */
const HEADERS = [
  "",
  "accept: */*\r\n",
  "accept: text/html\r\n",
  "authorization: Bearer no.token\r\n",
  `traceparent: 00-${"ab".repeat(16)}-${"cd".repeat(8)}-01\r\n`,
  "accept-encoding: gzip\r\n",
];

/** The same request on a new connection, on the general path, and on the connection that `node:http` reads since then. */
async function askThrice(url: string, path: string, header: string): Promise<RawAnswer> {
  const plain = `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${header}`;
  const heads = [plain, `${plain}content-type: text/plain\r\n`, plain];
  const [direct, general, fast] = await askTogether(Number(new URL(url).port), heads);
  if (direct === undefined || general === undefined || fast === undefined)
    throw new Error(`${path} was not answered three times`);
  expect({ header, ...comparable(direct) }).toEqual({ header, ...comparable(general) });
  expect({ header, ...comparable(fast) }).toEqual({ header, ...comparable(general) });
  return general;
}

async function statusesOf(url: string, path: string): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const header of HEADERS) statuses.push((await askThrice(url, path, header)).status);
  return statuses;
}

test("a participant's version is the same on both paths, with an invalid token, too", async () => {
  const { ledgerUrl } = world.net.nodes["app-user"];
  expect(await statusesOf(ledgerUrl, "/v2/version")).toEqual([200, 200, 406, 200, 200, 200]);
  expect(await statusesOf(ledgerUrl, "/v2/version?a=1")).toEqual([200, 200, 406, 200, 200, 200]);
});

test.each(["/api/sv/v0/dso", "/v0/dso"])(
  "an SV's %s is the same on both paths, and follows its contracts",
  async (path) => {
    const { appUrl } = world.net.svs[0] ?? { appUrl: "" };
    const readRound = async () => {
      const answer = (await (await fetch(`${appUrl}${path}`)).json()) as Answer;
      return Number(answer.latest_mining_round.contract.payload.round.number);
    };
    expect(await statusesOf(appUrl, path)).toEqual([200, 200, 200, 200, 200, 200]);
    const before = await readRound();
    await world.forward(0, 2n * TICK);
    await world.settle();
    expect(await readRound()).toBeGreaterThan(before);
    expect(await statusesOf(appUrl, path)).toEqual([200, 200, 200, 200, 200, 200]);
  },
);

test("a wallet's balance is the same on both paths while coins come and go, and only for its user", async () => {
  const { validatorUrl } = world.net.nodes["app-user"];
  const path = "/api/validator/v0/wallet/balance";
  const bearer = (token: string) => `authorization: Bearer ${token}\r\n`;
  const ask = async (token: string) => {
    const { status, body } = await askThrice(validatorUrl, path, bearer(token));
    return status === 200 ? (JSON.parse(body) as Balance).effective_unlocked_qty : status;
  };
  const operator = world.validator("app-user", world.net.serviceToken);
  await operator.onboardUser({ body: { name: "alice" } });
  const mine = await makeToken("alice");
  const alice = world.validator("app-user", mine);
  const random = new Random(1);
  let expected = 0n;
  for (let i = 0; i < 10; i++) {
    const amount = `${random.below(1000) + 1}.0`;
    await alice.tap({ body: { amount } });
    // At half a cent for a coin.
    expected += 200n * decimal(amount);
    expect(decimal(String(await ask(mine)))).toBe(expected);
  }
  expect(await ask(await makeToken("nobody"))).toBe(403);
  expect(await ask(signToken({ sub: "alice", aud: TOKEN_AUDIENCE }, { secret: "other" }))).toBe(401);
  expect(await ask(signToken({ sub: "alice", aud: "elsewhere" }))).toBe(401);
  expect(await ask("")).toBe(401);
  await operator.offboardUser({ query: { username: "alice" } });
  expect(await ask(mine)).toBe(403);
});
