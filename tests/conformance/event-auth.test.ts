/** Authorization of a contract's events, as the upstream suite GetEventsByContractIdRequestAuthIT asserts it. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Right } from "../../packages/api/src/index.ts";
import { call } from "../participant/call.ts";
import { everythingOf } from "../participant/preferences.ts";
import { fresh } from "../support/fresh.ts";
import { tokenFor } from "../support/participants.ts";
import { failureIn } from "./failure.ts";
import { newUser, now } from "./identity-providers.ts";
import { ledgerOfFile } from "./ledger.ts";

const ledger = ledgerOfFile({});
const UNKNOWN_CONTRACT = `00${"17".repeat(32)}`;
const anyParty = { filtersByParty: {}, filtersForAnyParty: { cumulative: [] }, verbose: false };
let mainActor: string;
let randomParty: string;

beforeAll(async () => {
  const allocate = async () => (await ledger.admin.allocateParty({ body: {} })).partyDetails.party;
  [mainActor, randomParty] = [await allocate(), await allocate()];
});

const act = (party: string): Right => ({ kind: { CanActAs: { value: { party } } } });
const read = (party: string): Right => ({ kind: { CanReadAs: { value: { party } } } });
const execute = (party: string): Right => ({ kind: { CanExecuteAs: { value: { party } } } });
const readAny: Right = { kind: { CanReadAsAnyParty: { value: {} } } };
const executeAny: Right = { kind: { CanExecuteAsAnyParty: { value: {} } } };

async function tokenOf(rights: Right[], claims: Record<string, unknown> = {}): Promise<string> {
  return tokenFor(await newUser(ledger, "", rights), claims);
}

async function ask(token: string | null, eventFormat: object = everythingOf(mainActor)) {
  const answer = await call(`${ledger.participant.url}/v2/events/events-by-contract-id`, {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    body: { contractId: UNKNOWN_CONTRACT, eventFormat },
  });
  return failureIn(answer);
}

/** An authorized caller gets the error that there is no such contract. */
async function expectAllowed(token: string, eventFormat?: object): Promise<void> {
  expect(await ask(token, eventFormat)).toMatchObject({ status: 404, code: "CONTRACT_EVENTS_NOT_FOUND" });
}

async function expectDenied(token: string, eventFormat?: object): Promise<void> {
  expect(await ask(token, eventFormat)).toMatchObject({
    status: 403,
    code: "NA",
    grpcCodeValue: 7,
    context: {},
  });
}

describe("base suite: readers for a party", () => {
  test("allow calls with a user that can read as main actor", async () => {
    await expectAllowed(await tokenOf([read(mainActor)]));
    await expectAllowed(await tokenOf([read(mainActor)], { exp: now() + 60 }));
  });

  test("allow calls with a user that can act as main actor", async () => {
    await expectAllowed(await tokenOf([act(mainActor)]));
  });

  test("allow calls with a user that can read as any party", async () => {
    await expectAllowed(await tokenOf([readAny]));
  });

  test("deny calls with an expired token", async () => {
    for (const rights of [[read(mainActor)], [act(mainActor)], [readAny]]) {
      const refused = await ask(await tokenOf(rights, { exp: now() - 60 }));
      expect(refused).toMatchObject({ status: 401, code: "NA", grpcCodeValue: 16, context: {} });
    }
  });

  test("deny unauthenticated calls", async () => {
    expect(await ask(null)).toMatchObject({ status: 401, code: "NA", grpcCodeValue: 16 });
  });

  test("deny calls with an unknown user", async () => {
    const refused = await ask(await tokenFor(fresh("unknown")));
    expect(refused).toMatchObject({ status: 403, context: { ledger_api_error: "invalid token" } });
  });

  test("deny calls with a deactivated user", async () => {
    const user = { id: fresh("user"), isDeactivated: true };
    await ledger.admin.createUser({ body: { user, rights: [readAny] } });
    const refused = await ask(await tokenFor(user.id));
    expect(refused).toMatchObject({ status: 403, context: { ledger_api_error: "invalid token" } });
  });

  test("deny calls with participant_admin", async () => {
    await expectDenied(await tokenFor("participant_admin"));
    await expectDenied(await tokenFor("participant_admin"), anyParty);
  });

  test("deny calls with a user who can only execute", async () => {
    await expectDenied(await tokenOf([execute(mainActor), executeAny]));
  });
});

describe("event formats", () => {
  test("allow calls with eventFormat of the correct party", async () => {
    await expectAllowed(await tokenOf([read(mainActor)]), everythingOf(mainActor));
  });

  test("deny calls with eventFormat of the wrong party", async () => {
    await expectDenied(await tokenOf([act(randomParty)]), everythingOf(mainActor));
    const both = { ...everythingOf(mainActor).filtersByParty, ...everythingOf(randomParty).filtersByParty };
    await expectDenied(await tokenOf([act(randomParty)]), { filtersByParty: both });
    await expectAllowed(await tokenOf([act(randomParty), read(mainActor)]), { filtersByParty: both });
  });

  test("allow calls with eventFormat of party wildcard with a user that can read as any party", async () => {
    await expectAllowed(await tokenOf([readAny]), anyParty);
    await expectAllowed(await tokenOf([readAny]), { filtersForAnyParty: {} });
  });

  test("deny calls with eventFormat of party wildcard with a user that can act as main actor", async () => {
    await expectDenied(await tokenOf([act(mainActor)]), anyParty);
    await expectDenied(await tokenOf([act(mainActor)]), {
      ...everythingOf(mainActor),
      filtersForAnyParty: {},
    });
  });

  test("a format without any filter needs a token and no more, and is then a mistake", async () => {
    expect(await ask(await tokenOf([]), {})).toMatchObject({ status: 400, code: "INVALID_ARGUMENT" });
    expect(await ask(null, {})).toMatchObject({ status: 401 });
  });
});
