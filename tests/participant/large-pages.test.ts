/** Lists of what has the largest annotations: pages that end early, and miss nothing. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { ADMIN, newParticipant, type TestParticipant } from "../support/participants.ts";
import { call, errorOf } from "./call.ts";

const COUNT = 100;
const LARGEST = JSON.stringify({ a: "x".repeat(262_143) });
const MOST_BYTES = 10_000_000;
const UNCONNECTED = ["http://127.0.0.1:9"];

const ids = (kind: string) =>
  Array.from({ length: COUNT }, (_, i) => `${kind}-${String(i).padStart(3, "0")}::1220ab`);

/** With users and parties that each have these annotations. */
async function participantWith(annotations: string): Promise<TestParticipant> {
  const dataFolder = temporaryFolder();
  await (await newParticipant(UNCONNECTED, { dataFolder })).close();
  const database = new DatabaseSync(join(dataFolder, "participant.sqlite"));
  database.exec("begin");
  for (const id of ids("user")) {
    database.prepare("insert into participant_user values (?, '', 0, '', 0, 0, ?)").run(id, annotations);
  }
  for (const party of ids("party")) {
    database.prepare("insert into party values (?, 1)").run(party);
    database.prepare("insert into party_record values (?, '', 0, ?)").run(party, annotations);
  }
  database.exec("commit");
  database.close();
  return newParticipant(UNCONNECTED, { dataFolder });
}

interface ListedPage {
  readonly users?: readonly { readonly id: string }[];
  readonly partyDetails?: readonly { readonly party: string }[];
  readonly nextPageToken: string;
}

async function listAll(url: string): Promise<{ names: string[]; sizes: number[] }> {
  const [names, sizes]: [string[], number[]] = [[], []];
  let pageToken = "";
  do {
    const { status, text, json } = await call(`${url}?pageToken=${encodeURIComponent(pageToken)}`, {
      method: "GET",
      user: ADMIN,
    });
    expect(status).toBe(200);
    const page = json as ListedPage;
    names.push(...(page.users ?? []).map(({ id }) => id), ...(page.partyDetails ?? []).map((p) => p.party));
    sizes.push(text.length);
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  return { names, sizes };
}

test("a page of users or parties ends after a few megabytes, and the next page continues", async () => {
  const { url } = await participantWith(LARGEST);
  const users = await listAll(`${url}/v2/users`);
  expect(users.names).toEqual([ADMIN, "participant_admin", ...ids("user")]);
  expect(Math.max(...users.sizes)).toBeLessThan(MOST_BYTES);
  const parties = await listAll(`${url}/v2/parties`);
  expect(parties.names).toEqual(ids("party"));
  expect(Math.max(...parties.sizes)).toBeLessThan(MOST_BYTES);
});

test("a page of small rows is full, and has each row once", async () => {
  const { url } = await participantWith("{}");
  for (const [path, names] of [
    ["/v2/users", [ADMIN, "participant_admin", ...ids("user")]],
    ["/v2/parties", ids("party")],
  ] as const) {
    const listed = await listAll(url + path);
    expect(listed.names).toEqual(names);
    expect(listed.sizes).toHaveLength(1);
  }
});

test("parties asked for by name are limited by the size of their annotations", async () => {
  const { url } = await participantWith(LARGEST);
  const [first = "", ...others] = ids("party");
  const ask = (count: number) => {
    const query = others.slice(0, count - 1).map((party) => `parties=${encodeURIComponent(party)}`);
    return call(`${url}/v2/parties/${encodeURIComponent(first)}?${query.join("&")}`, {
      method: "GET",
      user: ADMIN,
    });
  };
  const few = await ask(32);
  expect(few.status).toBe(200);
  expect((few.json as ListedPage).partyDetails).toHaveLength(32);
  const refused = errorOf(await ask(33));
  expect(refused).toMatchObject({ status: 400, code: "INVALID_ARGUMENT" });
  expect(refused.cause).toContain("ask for fewer");
});
