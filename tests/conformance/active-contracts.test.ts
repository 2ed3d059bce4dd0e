/** The suites of active contracts: at an offset, by filter, continued, page by page. */
import { request } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import type { EventFormat } from "../../packages/api/src/index.ts";
import { call } from "../participant/call.ts";
import { type LedgerClient, newParticipant, ready } from "../support/participants.ts";
import {
  archive,
  create,
  createDummy,
  DUMMY,
  endOf,
  formatFor,
  listActive,
  newParty,
  submissionOf,
  templateFilter,
} from "./dummies.ts";
import { expectFailure, failureIn } from "./failure.ts";
import { ledgerOfFile, OPEN } from "./ledger.ts";

const ledger = ledgerOfFile(OPEN);
let party: string;
let observer: string;
/** Of the party, in the order of their creation. */
const created: string[] = [];
beforeAll(async () => {
  party = await newParty(ledger);
  observer = await newParty(ledger);
  for (let i = 0; i < 5; i++) {
    created.push((await create(ledger, party, i === 2 ? observer : party)).contractId);
  }
});

type AcsBody = Parameters<LedgerClient["listActiveContracts"]>[0]["body"];
type PageBody = Parameters<LedgerClient["getActiveContractsPage"]>[0]["body"];
type Listed = Awaited<ReturnType<LedgerClient["listActiveContracts"]>>;

async function list(body: Partial<AcsBody>, limit: bigint | null = null): Promise<Listed> {
  const activeAtOffset = await endOf(ledger);
  return ledger.open.listActiveContracts({ query: { limit }, body: { activeAtOffset, ...body } });
}

function idsIn(listed: Listed): string[] {
  return listed.flatMap(({ contractEntry }) =>
    "JsActiveContract" in contractEntry ? [contractEntry.JsActiveContract.createdEvent.contractId] : [],
  );
}

describe("active contracts", () => {
  test("are listed for stakeholders, observers included", async () => {
    expect(idsIn(await list({ eventFormat: formatFor([party]) }))).toEqual(created);
    const [seen, ...more] = await listActive(ledger, formatFor([observer]));
    expect([seen?.contractId, more]).toEqual([created[2], []]);
    expect(seen?.witnessParties).toEqual([observer]);
    const both = await listActive(ledger, formatFor([party, observer]));
    expect(both[2]?.witnessParties).toEqual([party, observer]);
  });

  test("are listed as of the named offset, and none at the beginning", async () => {
    const { contractId } = await create(ledger, party);
    const before = await endOf(ledger);
    await archive(ledger, party, contractId);
    const eventFormat = formatFor([party], templateFilter(DUMMY));
    expect(idsIn(await list({ eventFormat, activeAtOffset: before }))).toEqual([...created, contractId]);
    expect(idsIn(await list({ eventFormat }))).toEqual(created);
    expect(await list({ eventFormat, activeAtOffset: 0 })).toEqual([]);
  });

  test("are the same in the older form of request", async () => {
    const eventFormat = formatFor([party]);
    const { filtersByParty, filtersForAnyParty } = eventFormat;
    const filter = { filtersByParty, filtersForAnyParty };
    expect(idsIn(await list({ filter, verbose: true }))).toEqual(created);
    for (const formats of [
      { filter, eventFormat },
      { eventFormat, verbose: true },
      { filter: null, eventFormat: null },
    ]) {
      const failure = await expectFailure(list(formats), "INVALID_ARGUMENT");
      expect(failure.status).toBe(400);
    }
  });

  test("tell the workflow that created them", async () => {
    const own = await newParty(ledger);
    const body = submissionOf(own, [createDummy(own)], { workflowId: "some-work" });
    await ledger.open.submitAndWait({ body });
    expect(await list({ eventFormat: formatFor([own]) })).toMatchObject([{ workflowId: "some-work" }]);
  });

  test("at an offset behind the ledger's end are refused, as at one before its beginning", async () => {
    const eventFormat = formatFor([party]);
    const after = await expectFailure(
      list({ eventFormat, activeAtOffset: (await endOf(ledger)) + 1 }),
      "OFFSET_AFTER_LEDGER_END",
      "active_at_offset",
    );
    expect([after.status, after.retryInfo, after.grpcCodeValue]).toEqual([400, "1 second", 11]);
    await expectFailure(list({ eventFormat, activeAtOffset: -1 }), "NEGATIVE_OFFSET");
  });

  test("go on behind the token of the last", async () => {
    const eventFormat = formatFor([party]);
    const activeAtOffset = await endOf(ledger);
    const seen: string[] = [];
    let streamContinuationToken: string | null = null;
    do {
      const body = { activeAtOffset, eventFormat, streamContinuationToken };
      const page: Listed = await ledger.open.listActiveContracts({ query: { limit: 2n }, body });
      seen.push(...idsIn(page));
      streamContinuationToken = page.at(-1)?.streamContinuationToken ?? null;
    } while (streamContinuationToken !== null);
    expect(seen).toEqual(created);
  });

  test("go on for the same request to the same participant only", async () => {
    const eventFormat = formatFor([party]);
    const [first] = await list({ eventFormat }, 1n);
    const streamContinuationToken = first?.streamContinuationToken ?? "";
    const activeAtOffset = await endOf(ledger);
    expect(idsIn(await list({ eventFormat, streamContinuationToken }))).toEqual(created.slice(1));
    for (const changed of [
      { eventFormat: formatFor([observer]) },
      { activeAtOffset: activeAtOffset - 1 },
      { streamContinuationToken: "AAAA" },
    ]) {
      const body = { eventFormat, streamContinuationToken, ...changed };
      await expectFailure(list(body), "INVALID_CONTINUATION_TOKEN");
    }
    const malformed = list({ eventFormat, streamContinuationToken: "?" });
    await expectFailure(malformed, "INVALID_ARGUMENT", "The string is not a valid Base64: ?");
  });
});

describe("a list's limit", () => {
  test("cuts it; more than 200 of more than 200 is too much", async () => {
    const many = await newParty(ledger);
    const eventFormat = formatFor([many]);
    const commands = Array.from({ length: 67 }, () => createDummy(many));
    for (let i = 0; i < 3; i++) {
      await ledger.open.submitAndWait({ body: submissionOf(many, commands) });
    }
    expect(await list({ eventFormat }, 3n)).toHaveLength(3);
    expect(await list({ eventFormat }, 0n)).toHaveLength(0);
    expect(await list({ eventFormat }, 200n)).toHaveLength(200);
    const failure = await expectFailure(
      list({ eventFormat }, 201n),
      "JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED",
    );
    expect([failure.status, failure.errorCategory, failure.grpcCodeValue]).toEqual([413, 2, 10]);
    const { activeContracts } = await ledger.open.getActiveContractsPage({ body: { eventFormat } });
    expect(activeContracts).toHaveLength(201);
  });

  test("of 201 takes 200 where there are no more", async () => {
    const many = await newParty(ledger);
    const commands = Array.from({ length: 100 }, () => createDummy(many));
    for (let i = 0; i < 2; i++) {
      await ledger.open.submitAndWait({ body: submissionOf(many, commands) });
    }
    expect(await list({ eventFormat: formatFor([many]) }, 201n)).toHaveLength(200);
  });
});

describe("pages", () => {
  const page = (body: Partial<PageBody>) =>
    ledger.open.getActiveContractsPage({ body: { eventFormat: formatFor([party]), ...body } });

  test("are of the ledger's end unless another offset is named, and stay there", async () => {
    const activeAtOffset = await endOf(ledger);
    const first = await page({ maxPageSize: 2 });
    expect(first.activeAtOffset).toBe(activeAtOffset);
    await archive(ledger, party, (await create(ledger, party)).contractId);
    const second = await page({ maxPageSize: 2, pageToken: first.nextPageToken });
    // The offset may be named now.
    const third = await page({ maxPageSize: 2, pageToken: second.nextPageToken, activeAtOffset });
    const pages = [first, second, third];
    expect(pages.map((each) => each.activeAtOffset)).toEqual([
      activeAtOffset,
      activeAtOffset,
      activeAtOffset,
    ]);
    expect(pages.map((each) => each.activeContracts.length)).toEqual([2, 2, 1]);
    expect(pages.flatMap((each) => idsIn(each.activeContracts))).toEqual(created);
    expect(third.nextPageToken).toBeNull();
    expect(first.activeContracts.map((each) => each.streamContinuationToken)).toEqual(["", ""]);
    const whole = await page({ activeAtOffset, maxPageSize: 10_000 });
    expect([whole.activeContracts.length, whole.nextPageToken]).toEqual([5, null]);
    expect(await page({ activeAtOffset: 0 })).toEqual({
      activeContracts: [],
      activeAtOffset: 0,
      nextPageToken: null,
    });
  });

  test("that are full to the last contract have no next one", async () => {
    const five = await page({ maxPageSize: 5 });
    expect([five.activeContracts.length, five.nextPageToken]).toEqual([5, null]);
  });

  test.each([
    [{ maxPageSize: 0 }, "INVALID_ARGUMENT"],
    [{ maxPageSize: -1 }, "INVALID_ARGUMENT"],
    [{ maxPageSize: 10_001 }, "INVALID_ARGUMENT"],
    [{ eventFormat: null }, "MISSING_FIELD"],
    [{ eventFormat: {} as EventFormat }, "INVALID_ARGUMENT"],
    [{ activeAtOffset: -1 }, "NEGATIVE_OFFSET"],
    [{ activeAtOffset: 1_000_000 }, "OFFSET_AFTER_LEDGER_END"],
    [{ pageToken: "?" }, "INVALID_ARGUMENT"],
    [{ pageToken: "AAAA" }, "INVALID_ACS_PAGE_TOKEN"],
  ])("with %j are refused", async (changed, code) => {
    const failure = await expectFailure(page(changed), code);
    expect(failure.status).toBe(400);
  });

  test("go on for the same request to the same participant only", async () => {
    const { nextPageToken: pageToken, activeAtOffset } = await page({ maxPageSize: 2 });
    for (const changed of [
      { eventFormat: formatFor([observer]) },
      { eventFormat: formatFor([party], templateFilter(DUMMY)) },
      { activeAtOffset: activeAtOffset - 1 },
    ]) {
      await expectFailure(page({ pageToken, ...changed }), "INVALID_ACS_PAGE_TOKEN");
    }
    const other = await newParticipant(ledger.sequencers, OPEN, ledger.atEnd);
    await ready(other);
    const body = { eventFormat: formatFor([party]), pageToken };
    await expectFailure(other.as(null).getActiveContractsPage({ body }), "INVALID_ACS_PAGE_TOKEN");
  });

  test("are answered to a GET with the same body, too", async () => {
    const body = { eventFormat: formatFor([party]), maxPageSize: 2 };
    const url = `${ledger.participant.url}/v2/state/active-contracts-page`;
    const text = await getWithBody(url, JSON.stringify(body));
    expect(text).toBe((await call(url, { body })).text);
    expect(JSON.parse(text).activeContracts).toHaveLength(2);
    const failure = failureIn(await call(url, { method: "GET" }));
    expect([failure.status, failure.code]).toEqual([400, "MISSING_FIELD"]);
  });
});

/** `fetch` sends none. */
function getWithBody(url: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { "content-length": Buffer.byteLength(body) };
    const sent = request(url, { method: "GET", headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve(text)).on("error", reject);
    });
    sent.on("error", reject).end(body);
  });
}
