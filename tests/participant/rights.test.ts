/** Authorization: every operation of the table, with every kind of caller. */

import { beforeAll, describe, expect, test } from "vitest";
import { type Endpoint, formatPath, ledgerApi, type Right } from "../../packages/api/src/index.ts";
import { formatQueryString } from "../../packages/api/src/query-string.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import {
  ADMIN,
  AUDIENCE,
  newActor,
  readyParticipant,
  type TestParticipant,
  tokenFor,
} from "../support/participants.ts";
import { signToken } from "../support/sign-token.ts";
import { call, errorOf } from "./call.ts";
import type { LedgerOperation } from "./ledger-requests.ts";
import { type Case, callers, casesOf, notHere, right } from "./rights-cases.ts";

const atEnd = atEndOfFile();
let participant: TestParticipant;
let alice: string;
let bob: string;

beforeAll(async () => {
  participant = await readyParticipant({}, atEnd);
  alice = (await newActor(participant, "actor")).party;
  bob = (await newActor(participant, "other")).party;
  const users: Record<string, Right[]> = {
    plain: [],
    reader: [right.read(alice)],
    executor: [right.execute(alice)],
    "reader-of-any": [right.readAny],
    "executor-of-any": [right.executeAny],
    "idp-admin": [right.idpAdmin],
  };
  for (const [id, rights] of Object.entries(users)) {
    await participant.admin.createUser({ body: { user: { id }, rights } });
  }
  await participant.admin.createUser({
    body: { user: { id: "gone", isDeactivated: true }, rights: [right.admin] },
  });
});

async function ask(
  endpoint: Endpoint,
  { params = {}, query = {}, body }: Case,
  authorization: string | null,
) {
  return call(participant.url + formatPath(endpoint.path, params) + formatQueryString(query), {
    method: endpoint.method,
    ...(authorization === null ? {} : { authorization }),
    ...(body === undefined ? {} : { body }),
  });
}

describe.each(Object.values<Endpoint>(ledgerApi.endpoints))("$id", (endpoint) => {
  const id = endpoint.id as LedgerOperation;

  test.each(callers)("answers %s only with the rights it needs", async (caller) => {
    const token = caller === "none" ? null : `Bearer ${await tokenFor(caller)}`;
    for (const given of casesOf(id, { alice, bob })) {
      const answer = await ask(endpoint, given, token);
      if (given.allowed.includes(caller)) {
        expect([notHere[id] ?? [200, 404]].flat()).toContain(answer.status);
        continue;
      }
      const refused = errorOf(answer);
      expect([refused.status, refused.code, refused.errorCategory, refused.context]).toEqual([
        caller === "none" ? 401 : 403,
        "NA",
        -1,
        {},
      ]);
    }
  });

  test.each(["unknown", "gone"])("is refused with a valid token of a user who is %s", async (user) => {
    const [given] = casesOf(id, { alice, bob });
    const refused = errorOf(await ask(endpoint, given, `Bearer ${await tokenFor(user)}`));
    expect([refused.status, refused.code, refused.context]).toEqual([
      403,
      "NA",
      { ledger_api_error: "invalid token" },
    ]);
  });

  test("is refused with invalid tokens, unless it needs none", async () => {
    const [given] = casesOf(id, { alice, bob });
    const none = given.allowed.includes("none") === true;
    const forged = signToken({ sub: ADMIN, aud: AUDIENCE }, { secret: "a guess" });
    for (const token of [
      await tokenFor(ADMIN, { aud: "other" }),
      await tokenFor(ADMIN, { exp: 1 }),
      forged,
    ]) {
      const answer = await ask(endpoint, given, `Bearer ${token}`);
      if (none) expect(answer.status).toBe(200);
      else expect(errorOf(answer)).toMatchObject({ status: 401, code: "NA", context: {} });
    }
    const empty = errorOf(await ask(endpoint, given, "Bearer "));
    expect(empty).toMatchObject({ status: 400, code: "INVALID_ARGUMENT" });
  });
});

test("a token whose subject is not a user id is refused with that reason", async () => {
  const authorization = `Bearer ${await tokenFor("who am i?")}`;
  const refused = errorOf(await call(`${participant.url}/v2/version`, { method: "GET", authorization }));
  expect(refused).toMatchObject({ status: 400, code: "INVALID_TOKEN" });
  expect(refused.context).toMatchObject({ ledger_api_error: "invalid token" });
});
