/** Updates page by page: sizes, order, tokens, and ranges that go on. */
import { beforeAll, describe, expect, test } from "vitest";
import { AMULET } from "../participant/coins.ts";
import { type LedgerClient, newParticipant, ready } from "../support/participants.ts";
import {
  create,
  createDummy,
  createdIn,
  DUMMY,
  endOf,
  newParty,
  submit,
  templateFilter,
  transactionsOf,
} from "./dummies.ts";
import { expectFailure } from "./failure.ts";
import { ledgerOfFile, OPEN } from "./ledger.ts";

const ledger = ledgerOfFile(OPEN);
let party: string;
let created: string[];
beforeAll(async () => {
  party = await newParty(ledger);
  created = [];
  for (let i = 0; i < 10; i++) created.push((await create(ledger, party)).contractId);
});

type Body = Parameters<LedgerClient["getUpdatesPage"]>[0]["body"];

const pageOf = (body: Partial<Body>) =>
  ledger.open.getUpdatesPage({ body: { updateFormat: transactionsOf([party]), ...body } });

function idsIn({ updates }: Awaited<ReturnType<typeof pageOf>>): string[] {
  return updates.flatMap(({ update }) =>
    "Transaction" in update ? [createdIn(update.Transaction.value).contractId] : [],
  );
}

/** So many pages, or as many as there are. */
async function pagesOf(body: Partial<Body>, count = Number.POSITIVE_INFINITY) {
  const pages = [await pageOf(body)];
  for (let next = pages[0]?.nextPageToken; pages.length < count && next; ) {
    const page = await pageOf({ ...body, pageToken: next });
    pages.push(page);
    next = page.nextPageToken;
  }
  return pages;
}

describe("pages", () => {
  test("TXFetchFirstPageAsc: the first has as many as were asked for", async () => {
    expect(idsIn(await pageOf({ beginOffsetExclusive: 0, maxPageSize: 5 }))).toEqual(created.slice(0, 5));
  });

  test("of a range with an end are all of it, each beginning where the one before ends", async () => {
    const end = await endOf(ledger);
    for (const descendingOrder of [false, true]) {
      const pages = await pagesOf({
        ...{ beginOffsetExclusive: 0, endOffsetInclusive: end, maxPageSize: 3, descendingOrder },
      });
      expect(pages.map((page) => page.updates.length)).toEqual([3, 3, 3, 1]);
      expect(pages.flatMap(idsIn)).toEqual(descendingOrder ? created.toReversed() : created);
      const ordered = descendingOrder ? pages.toReversed() : pages;
      const bounds = ordered.flatMap((page) => [
        page.lowestPageOffsetExclusive,
        page.highestPageOffsetInclusive,
      ]);
      expect([bounds[0], bounds.at(-1)]).toEqual([0, end]);
      for (let i = 1; i + 1 < bounds.length; i += 2) expect(bounds[i]).toBe(bounds[i + 1]);
      expect(pages.at(-1)?.nextPageToken).toBeNull();
    }
  });

  test("TXPagedDynamicStartEndAscending: without bounds there is always a next one", async () => {
    const pages = await pagesOf({ maxPageSize: 2 }, 5);
    expect(pages.flatMap(idsIn)).toEqual(created);
    expect(pages.at(-1)?.nextPageToken).not.toBeNull();
  });

  test("TXPagedDynamicStartEndDescending", async () => {
    const pages = await pagesOf({ maxPageSize: 2, descendingOrder: true });
    expect(pages.flatMap(idsIn)).toEqual(created.toReversed());
    expect(pages.at(-1)).toMatchObject({ lowestPageOffsetExclusive: 0, nextPageToken: null });
  });

  test("TXPagedFetchDynamicEnd: the last page's token continues with new updates", async () => {
    const other = await newParty(ledger);
    const begin = await endOf(ledger);
    const first = [(await create(ledger, other)).contractId, (await create(ledger, other)).contractId];
    await submit(ledger, other, {
      CreateCommand: {
        templateId: AMULET,
        createArguments: {
          ...{ dso: other, owner: other },
          amount: { initialAmount: "1.0", createdAt: { number: "0" }, ratePerRound: { rate: "0.0" } },
        },
      },
    });
    const end = await endOf(ledger);
    const request = {
      beginOffsetExclusive: begin - 1,
      maxPageSize: 2,
      updateFormat: transactionsOf([other], "LEDGER_EFFECTS", templateFilter(DUMMY)),
    };
    const page1 = await pageOf(request);
    expect(idsIn(page1)).toEqual(first);
    expect(page1.highestPageOffsetInclusive).toBe(end);
    const empty = await pageOf({ ...request, pageToken: page1.nextPageToken });
    expect(empty.updates).toEqual([]);
    const third = (await create(ledger, other)).contractId;
    const page2 = await pageOf({ ...request, pageToken: empty.nextPageToken });
    expect(idsIn(page2)).toEqual([third]);
    expect(page2.lowestPageOffsetExclusive).toBe(page1.highestPageOffsetInclusive);
    expect(page2.nextPageToken).not.toBeNull();
  });

  test("have a hundred updates unless another number is asked for", async () => {
    const many = await newParty(ledger);
    const begin = await endOf(ledger);
    for (let i = 0; i < 101; i += 1) await submit(ledger, many, createDummy(many));
    const range = { beginOffsetExclusive: begin, endOffsetInclusive: await endOf(ledger) };
    const updateFormat = transactionsOf([many]);
    const page = await pageOf({ ...range, updateFormat });
    expect(page.updates).toHaveLength(100);
    expect(page.nextPageToken).not.toBeNull();
    expect((await pageOf({ ...range, updateFormat, maxPageSize: 2000 })).updates).toHaveLength(101);
  });
});

describe("a page is refused for", () => {
  test.each([
    [{ maxPageSize: 0 }, "INVALID_ARGUMENT"],
    [{ maxPageSize: -1 }, "INVALID_ARGUMENT"],
    [{ maxPageSize: 2001 }, "INVALID_ARGUMENT"],
    [{ updateFormat: null }, "MISSING_FIELD"],
    [{ beginOffsetExclusive: -1 }, "NEGATIVE_OFFSET"],
    [{ beginOffsetExclusive: 1_000_000 }, "OFFSET_AFTER_LEDGER_END"],
    [{ endOffsetInclusive: 1_000_000 }, "OFFSET_AFTER_LEDGER_END"],
    [{ endOffsetInclusive: 0 }, "NON_POSITIVE_OFFSET"],
    [{ beginOffsetExclusive: 3, endOffsetInclusive: 2 }, "OFFSET_OUT_OF_RANGE"],
    [{ pageToken: "?" }, "INVALID_ARGUMENT"],
    [{ pageToken: "AAAA" }, "INVALID_UPDATES_PAGE_TOKEN"],
  ])("%j", async (changed, code) => {
    const failure = await expectFailure(pageOf(changed), code);
    expect(failure.status).toBe(400);
  });

  test("TXPagedFetchDescendingOrderBeyondEnd", async () => {
    const end = await endOf(ledger);
    const range = { beginOffsetExclusive: end - 1, endOffsetInclusive: end + 2, descendingOrder: true };
    await expectFailure(pageOf(range), "OFFSET_AFTER_LEDGER_END", "is after ledger end");
  });

  test("a token of another request, or of another participant", async () => {
    const { nextPageToken: pageToken, highestPageOffsetInclusive: place } = await pageOf({ maxPageSize: 2 });
    const token = pageToken ?? "";
    for (const changed of [
      { beginOffsetExclusive: 1 },
      { endOffsetInclusive: 2 },
      { descendingOrder: true },
      { updateFormat: transactionsOf([party], "ACS_DELTA") },
    ]) {
      await expectFailure(pageOf({ ...changed, pageToken: token }), "INVALID_UPDATES_PAGE_TOKEN");
    }
    // Another size is no other request.
    expect(idsIn(await pageOf({ maxPageSize: 1, pageToken: token }))).toEqual(created.slice(2, 3));
    const other = await newParticipant(ledger.sequencers, OPEN, ledger.atEnd);
    await ready(other);
    const stranger = other.as(null);
    // The place itself would be one of the other's, too.
    while ((await stranger.getLedgerEnd()).offset <= place) await stranger.allocateParty({ body: {} });
    const body = { updateFormat: transactionsOf([party]), pageToken: token };
    await expectFailure(stranger.getUpdatesPage({ body }), "INVALID_UPDATES_PAGE_TOKEN");
  });
});
