// Limits of name, url and description: a name at the limit is bought and resolves, one past it changes nothing.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_DESCRIPTION_LENGTH } from "../../packages/ledger/src/names/entry-description.ts";
import { maxLabelLength } from "../../packages/ledger/src/names/entry-name.ts";
import { MAX_URL_LENGTH } from "../../packages/ledger/src/names/entry-url.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { outcomeOf } from "../support/call-outcome.ts";
import { LocalNetwork, type Request } from "../support/local-network.ts";
import { buyWithoutValidator } from "./own-commands.ts";

const PRICE = decimal("200");
const LONGEST_LABEL = maxLabelLength();

let world: LocalNetwork;
beforeAll(async () => {
  world = await LocalNetwork.start();
  await world.tap("app-user", "200");
  await world.tap("app-provider", "200");
  await world.net.settle();
});
afterAll(() => world?.close());

/** The positions of all replicas and participants. */
async function positions(): Promise<unknown> {
  const ends = (["app-user", "app-provider"] as const).map((node) => world.ledger(node).getLedgerEnd());
  return [world.net.svs[0]?.replica.state.head, await Promise.all(ends)];
}

function longUrl(length: number): string {
  return "https://example.com/".padEnd(length, "x");
}

describe("a request at its limit is bought and resolves", () => {
  test.each<readonly [string, Request]>([
    ["a name of one character", { name: "0" }],
    ["a name of marks alone", { name: "-_-" }],
    ["the longest name", { name: "n".repeat(LONGEST_LABEL) }],
    ["the longest name, in full", { name: `${"m".repeat(LONGEST_LABEL)}.unverified.cns` }],
    ["the longest url", { name: "long-url", url: longUrl(MAX_URL_LENGTH) }],
    ["a url in capitals", { name: "capital-url", url: "HTTPS://EXAMPLE.COM/a?b=c#d" }],
    ["a url at a number", { name: "numbered-url", url: "http://[::1]:8080/" }],
    ["the longest description", { name: "long-text", description: "d".repeat(MAX_DESCRIPTION_LENGTH) }],
    [
      "the longest description, of emoji",
      { name: "emoji", description: "😀".repeat(MAX_DESCRIPTION_LENGTH / 2) },
    ],
    ["a description of lines", { name: "lines", description: 'one\ntwo\t"three" \\ é ‏' }],
  ])("%s", async (_, request) => {
    const name = await world.buy("app-user", request);
    expect(name).toBe(
      request.name.endsWith(".unverified.cns") ? request.name : `${request.name}.unverified.cns`,
    );
    const { url = "", description = "" } = request;
    for (const scan of [1, 2, 3, 4]) {
      const { entry } = await world.scan(scan).lookupAnsEntryByName({ params: { name } });
      expect(entry).toMatchObject({ name, url, description, user: await world.party("app-user") });
    }
    expect(await world.owned("app-user")).toContain(name);
  });
});

const invalid: readonly (readonly [what: string, request: Request, says: readonly string[]])[] = [
  ["no name", { name: "" }, ['""', "1 to 45"]],
  ["the ending alone", { name: ".unverified.cns" }, ["unverified.cns", "1 to 45"]],
  [
    "a name that is too long",
    { name: "n".repeat(LONGEST_LABEL + 1) },
    [`has ${LONGEST_LABEL + 1} characters`, "at most 45"],
  ],
  [
    "a full name that is too long",
    { name: `${"n".repeat(LONGEST_LABEL + 1)}.unverified.cns` },
    ["at most 45"],
  ],
  ["capitals", { name: "Alice" }, ['"Alice"', "lower case"]],
  ["a space", { name: "al ice" }, ['"al ice"', "a-z"]],
  ["a letter outside ASCII", { name: "élice" }, ["é", "a-z"]],
  ["a look-alike letter", { name: "аlice" }, ["а", "a-z"]],
  ["an emoji", { name: "😀" }, ["😀", "a-z"]],
  ["a slash", { name: "a/b" }, ['"a/b"', "a-z"]],
  ["a percent sign", { name: "a%2e" }, ["%", "a-z"]],
  ["U+0000", { name: "a\u0000" }, ["\\u0000", "a-z"]],
  ["a line's end", { name: "alice\n" }, ["a-z"]],
  ["half a character", { name: "a\ud800" }, ["a-z"]],
  ["a dot", { name: "al.ice" }, ["dot", "a-z"]],
  ["a well-known name", { name: "dso.cns" }, ['"dso.cns"', "dot"]],
  ["an SV's name", { name: "sv-1.sv.cns" }, ["dot"]],
  ["another network's ending", { name: "alice.unverified.ans" }, ["dot", ".unverified.cns"]],
  ["the ending in capitals", { name: "alice.UNVERIFIED.cns" }, ["dot"]],
  ["the ending twice", { name: "alice.unverified.cns.unverified.cns" }, ["dot"]],
  [
    "a url that is too long",
    { name: "past", url: longUrl(MAX_URL_LENGTH + 1) },
    [`has ${MAX_URL_LENGTH + 1} characters`, `at most ${MAX_URL_LENGTH}`],
  ],
  ["a url without a scheme", { name: "past", url: "example.com" }, ['"example.com"', "http"]],
  ["a url of another scheme", { name: "past", url: "ftp://example.com" }, ["ftp://example.com", "http"]],
  ["a url that runs", { name: "past", url: "javascript:alert(1)" }, ["javascript", "http"]],
  ["a url with a space", { name: "past", url: "https://exa mple.com" }, ["http"]],
  ["a url of nothing but its scheme", { name: "past", url: "https://" }, ["http"]],
  ["a url with half an escape", { name: "past", url: "https://a/%2" }, ["http"]],
  [
    "a description that is too long",
    { name: "past", description: "d".repeat(MAX_DESCRIPTION_LENGTH + 1) },
    [`has ${MAX_DESCRIPTION_LENGTH + 1} characters`, `at most ${MAX_DESCRIPTION_LENGTH}`],
  ],
  [
    "a description of too many emoji",
    { name: "past", description: "😀".repeat(MAX_DESCRIPTION_LENGTH / 2 + 1) },
    [`at most ${MAX_DESCRIPTION_LENGTH}`],
  ],
  ["a description with U+0000", { name: "past", description: "a\u0000b" }, ["U+0000"]],
  ["a description with half a character", { name: "past", description: "a\udc00b" }, ["halves"]],
];

describe("a request past its limit is refused and changes nothing", () => {
  test.each(invalid)("%s", async (_, request, says) => {
    const before = await positions();
    const { status, body } = await outcomeOf(world.request("app-user", request));
    expect(status).toBe(400);
    const { error } = body as { readonly error: string };
    for (const part of says) expect(error).toContain(part);
    expect(error.length).toBeLessThan(1000);
    expect(await positions()).toEqual(before);
  });
});

describe("an open request", () => {
  const wanted = { name: "wanted", url: "https://example.com/", description: "Mine" };

  test("stays the same however often it is repeated, by the chosen name or the full one", async () => {
    const asked = await Promise.all([
      world.request("app-user", wanted),
      world.request("app-user", wanted),
      world.request("app-user", { ...wanted, name: "wanted.unverified.cns" }),
    ]);
    const first = asked[0];
    expect(asked).toEqual([first, first, first]);
    const before = await positions();
    expect(await world.request("app-user", wanted)).toEqual(first);
    expect(await positions()).toEqual(before);
    const { subscription_requests } = await world.validator("app-user").listSubscriptionRequests();
    expect(subscription_requests.length).toBe(1);
  });

  test("does not affect another user's request for the same name", async () => {
    const mine = await world.request("app-user", wanted);
    const theirs = await world.request("app-provider", wanted);
    expect(theirs.subscriptionRequestCid).not.toBe(mine.subscriptionRequestCid);
    const params = { contract_id: theirs.subscriptionRequestCid };
    await world.validator("app-provider").rejectSubscriptionRequest({ params });
  });

  test("can be made again after it is rejected", async () => {
    const { subscriptionRequestCid: contract_id } = await world.request("app-user", wanted);
    await world.validator("app-user").rejectSubscriptionRequest({ params: { contract_id } });
    expect((await outcomeOf(world.accept("app-user", contract_id))).status).toBe(404);
    const again = await world.request("app-user", wanted);
    expect(again.subscriptionRequestCid).not.toBe(contract_id);
    await world.accept("app-user", again.subscriptionRequestCid);
    await world.net.settle();
    expect(await world.owner("wanted.unverified.cns")).toBe(await world.party("app-user"));
  });

  test("is refused for a name that is held, even to its holder", async () => {
    const before = await positions();
    for (const node of ["app-user", "app-provider"] as const) {
      for (const name of ["wanted", "wanted.unverified.cns"]) {
        const { status, body } = await outcomeOf(world.request(node, { name }));
        expect(status).toBe(409);
        expect(body).toEqual({ error: expect.stringContaining("wanted.unverified.cns is taken") });
      }
    }
    expect(await positions()).toEqual(before);
  });
});

describe("a request past the validator that the validator would refuse", () => {
  test.each<readonly [string, Request]>([
    ["a name without the ending", { name: "bare" }],
    ["a name in capitals", { name: "CAPITALS.unverified.cns" }],
    ["a well-known name", { name: "dso.cns" }],
    ["a name that is too long", { name: `${"n".repeat(LONGEST_LABEL + 1)}.unverified.cns` }],
    ["a url that runs", { name: "running.unverified.cns", url: "javascript:alert(1)" }],
    [
      "too long a description",
      { name: "wordy.unverified.cns", description: "d".repeat(MAX_DESCRIPTION_LENGTH + 1) },
    ],
    ["a name that is held", { name: "wanted.unverified.cns" }],
  ])("%s: every coin is returned", async (_, request) => {
    const before = await world.unlocked("app-provider");
    const ownerBefore = await world.owner(request.name);
    await buyWithoutValidator(world, "app-provider", request);
    await world.net.settle();
    expect(await world.unlocked("app-provider")).toBe(before);
    expect(await world.locked("app-provider")).toBe(0n);
    expect(await world.owner(request.name)).toBe(ownerBefore);
    expect(await world.owned("app-provider")).toEqual([]);
    expect((await world.validator("app-provider").listSubscriptions()).subscriptions).toEqual([]);
  });

  test("within the limits buys the name", async () => {
    const before = await world.unlocked("app-provider");
    await buyWithoutValidator(world, "app-provider", { name: "own-way.unverified.cns" });
    await world.net.settle();
    expect(await world.owner("own-way.unverified.cns")).toBe(await world.party("app-provider"));
    expect(before - (await world.unlocked("app-provider"))).toBe(PRICE);
    expect(await world.digestsAgree()).toBe(true);
  });
});
