/** Answers whose text is kept: the fast lane and the general path give the same bytes. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { askTogether, comparable } from "../scan/raw-answers.ts";
import { LocalNetwork, TICK } from "../support/local-network.ts";

let world: LocalNetwork;
beforeAll(async () => {
  world = await LocalNetwork.start();
}, 60_000);
afterAll(() => world?.close());

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
async function expectSame(url: string, path: string): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const header of HEADERS) {
    const plain = `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${header}`;
    const heads = [plain, `${plain}content-type: text/plain\r\n`, plain];
    // The body of a packed answer is compared as it is.
    const [direct, general, fast] = await askTogether(Number(new URL(url).port), heads);
    if (direct === undefined || general === undefined || fast === undefined)
      throw new Error(`${path} was not answered three times`);
    expect({ header, ...comparable(direct) }).toEqual({ header, ...comparable(general) });
    expect({ header, ...comparable(fast) }).toEqual({ header, ...comparable(general) });
    statuses.push(general.status);
  }
  return statuses;
}

test("a participant's version is the same on both paths, with a token that it refuses too", async () => {
  const { ledgerUrl } = world.net.nodes["app-user"];
  expect(await expectSame(ledgerUrl, "/v2/version")).toEqual([200, 200, 406, 200, 200, 200]);
  expect(await expectSame(ledgerUrl, "/v2/version?a=1")).toEqual([200, 200, 406, 200, 200, 200]);
});

test.each(["/api/sv/v0/dso", "/v0/dso"])(
  "an SV's %s is the same on both paths, and follows its contracts",
  async (path) => {
    const { appUrl } = world.net.svs[0] ?? { appUrl: "" };
    const readRound = async () => {
      const answer = (await (await fetch(`${appUrl}${path}`)).json()) as Answer;
      return Number(answer.latest_mining_round.contract.payload.round.number);
    };
    expect(await expectSame(appUrl, path)).toEqual([200, 200, 200, 200, 200, 200]);
    const before = await readRound();
    await world.forward(0, 2n * TICK);
    await world.settle();
    expect(await readRound()).toBeGreaterThan(before);
    expect(await expectSame(appUrl, path)).toEqual([200, 200, 200, 200, 200, 200]);
  },
);

interface Answer {
  readonly latest_mining_round: {
    readonly contract: { readonly payload: { readonly round: { number: string } } };
  };
}
