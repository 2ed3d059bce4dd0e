/** The suites of completions: a user's own, and everybody's for some parties or for all. */
import { beforeAll, describe, expect, test } from "vitest";
import type { CompletionItem } from "../../packages/api/src/index.ts";
import { call } from "../participant/call.ts";
import { createDummy, endOf, exerciseDummy, newParty, submissionOf, USER } from "./dummies.ts";
import { expectFailure, failureIn } from "./failure.ts";
import { ledgerOfFile, OPEN } from "./ledger.ts";

const ledger = ledgerOfFile(OPEN);
const NO_CONTRACT = `00${"ab".repeat(32)}ca101220${"cd".repeat(32)}`;
let alice: string;
let bob: string;
beforeAll(async () => {
  alice = await newParty(ledger, "alice");
  bob = await newParty(ledger, "bob");
});

const query = { stream_idle_timeout_ms: 5n };
const completionsIn = (items: readonly CompletionItem[]) =>
  items.flatMap(({ completionResponse: item }) => ("Completion" in item ? [item.Completion.value] : []));
const commandsIn = (items: readonly CompletionItem[]) => completionsIn(items).map((each) => each.commandId);

async function submitAs(userId: string, party: string): Promise<string> {
  const body = submissionOf(party, [createDummy(party)], { userId });
  await ledger.open.submitAndWait({ body });
  return body.commandId;
}

describe("completions", () => {
  test("of one user, for the parties that are named", async () => {
    const beginExclusive = await endOf(ledger);
    const own = await submitAs(USER, alice);
    await submitAs(USER, bob);
    await submitAs("another", alice);
    const body = { userId: USER, parties: [alice], beginExclusive };
    const items = await ledger.open.listCompletions({ query, body });
    expect(commandsIn(items)).toEqual([own]);
    expect(completionsIn(items)[0]).toMatchObject({
      status: { code: 0, message: "", details: [] },
      updateId: expect.stringMatching(/^1220[0-9a-f]{64}$/),
      userId: USER,
      actAs: [alice],
      offset: beginExclusive + 1,
    });
  });

  test("of any user for some parties, and of all", async () => {
    const beginExclusive = await endOf(ledger);
    const ids = [await submitAs(USER, alice), await submitAs("another", alice), await submitAs(USER, bob)];
    const list = async (parties: string[]) =>
      commandsIn(await ledger.open.listCompletionsOfParties({ query, body: { parties, beginExclusive } }));
    expect(await list([alice])).toEqual(ids.slice(0, 2));
    expect(await list([bob])).toEqual(ids.slice(2));
    expect(await list([bob, alice])).toEqual(ids);
    expect(await list([])).toEqual(ids);
  });

  test("name the acting parties that were asked for", async () => {
    const beginExclusive = await endOf(ledger);
    const body = submissionOf(alice, [createDummy(alice)], { actAs: [alice, bob] });
    await ledger.open.submitAndWait({ body });
    const actAs = async (parties: string[]) =>
      completionsIn(
        await ledger.open.listCompletionsOfParties({ query, body: { parties, beginExclusive } }),
      ).map((each) => each.actAs);
    expect(await actAs([bob])).toEqual([[bob]]);
    expect((await actAs([]))[0]?.toSorted()).toEqual([alice, bob].toSorted());
  });

  test("carry the submitter's id and the deduplication period", async () => {
    const beginExclusive = await endOf(ledger);
    const period = {
      DeduplicationDuration: { value: { seconds: 60, nanos: 0, unknownFields: { fields: {} } } },
    };
    const given = { submissionId: "my-submission", deduplicationPeriod: period };
    await ledger.open.submitAndWait({ body: submissionOf(alice, [createDummy(alice)], given) });
    const body = { parties: [alice], beginExclusive };
    const [completion] = completionsIn(await ledger.open.listCompletionsOfParties({ query, body }));
    expect(completion).toMatchObject({ submissionId: "my-submission", deduplicationPeriod: period });
  });

  test("are cut at the limit, and tell how far they are where there is none", async () => {
    const beginExclusive = await endOf(ledger);
    const first = await submitAs(USER, alice);
    await submitAs(USER, alice);
    const body = { parties: [alice], beginExclusive };
    const limited = { query: { ...query, limit: 1n }, body };
    expect(commandsIn(await ledger.open.listCompletionsOfParties(limited))).toEqual([first]);
    const end = await endOf(ledger);
    const idle = { query, body: { parties: [bob], beginExclusive: end } };
    expect(await ledger.open.listCompletionsOfParties(idle)).toMatchObject([
      { completionResponse: { OffsetCheckpoint: { value: { offset: end } } } },
    ]);
  });

  test("wait for the next one", async () => {
    const beginExclusive = await endOf(ledger);
    const body = { parties: [bob], beginExclusive };
    const waiting = ledger.open.listCompletionsOfParties({
      query: { limit: 1n, stream_idle_timeout_ms: 20_000n },
      body,
    });
    const commandId = await submitAs("another", bob);
    expect(commandsIn(await waiting)).toEqual([commandId]);
  });

  test("are not written for submissions that never reached the ledger", async () => {
    const beginExclusive = await endOf(ledger);
    const body = submissionOf(alice, [exerciseDummy(NO_CONTRACT, "RenewalPreference_Remove")]);
    await expectFailure(ledger.open.submitAndWait({ body }), "CONTRACT_NOT_FOUND");
    const list = { query, body: { parties: [alice], beginExclusive } };
    expect(completionsIn(await ledger.open.listCompletionsOfParties(list))).toEqual([]);
  });
});

describe("a request for completions is refused", () => {
  const paths = ["completions", "command-completions"] as const;
  const post = async (path: string, body: object) =>
    failureIn(await call(`${ledger.participant.url}/v2/commands/${path}?stream_idle_timeout_ms=1`, { body }));

  test.each(paths)("offsets that are not there: %s", async (path) => {
    const body = { userId: USER, parties: [alice] };
    const negative = await post(path, { ...body, beginExclusive: -1 });
    expect([negative.status, negative.code]).toEqual([400, "NEGATIVE_OFFSET"]);
    const beyond = await post(path, { ...body, beginExclusive: 1_000_000 });
    expect([beyond.status, beyond.code, beyond.retryInfo]).toEqual([
      400,
      "OFFSET_AFTER_LEDGER_END",
      "1 second",
    ]);
    expect(beyond.cause.startsWith("Begin")).toBe(true);
    const malformed = await post(path, { ...body, parties: ["not@party"] });
    expect([malformed.status, malformed.code]).toEqual([400, "INVALID_ARGUMENT"]);
  });

  test("for a user's completions without a user or without parties", async () => {
    expect((await post("completions", { parties: [alice] })).code).toBe("INVALID_TOKEN");
    expect((await post("completions", { userId: USER })).code).toBe("MISSING_FIELD");
    expect((await post("completions", { userId: "?", parties: [alice] })).code).toBe("INVALID_FIELD");
  });
});
