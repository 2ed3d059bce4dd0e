// Users come in by themselves or by the operator, share a party, leave, and come back.

import { Amulet, ValidatorRight, WalletAppInstall } from "@callsign/ledger";
import { makeToken, SERVICE_USER } from "@callsign/localnet";
import type { Validator } from "@callsign/validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outcomeOf, statusOf } from "../support/call-outcome.ts";
import { type Fault, type FaultyParticipant, startFaultyParticipant } from "../support/faulty-participant.ts";
import { fresh } from "../support/fresh.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { type ValidatorClient, validatorClient } from "../support/network-clients.ts";

let network: LocalNetwork;
let participant: FaultyParticipant;
let validator: Validator;
let operator: ValidatorClient;
let namespace: string;

beforeAll(async () => {
  network = await LocalNetwork.start();
  participant = await startFaultyParticipant(network.net.nodes["app-user"].ledgerUrl);
  validator = await startAgain();
  operator = validatorClient(validator.url, network.net.serviceToken);
  namespace = (await network.ledger().getParticipantId()).participantId.split("::").at(-1) ?? "";
});
afterAll(async () => {
  await network?.close();
  await participant?.close();
});

/** A validator of this folder, behind the faulty participant. */
function startAgain(folder = "users"): Promise<Validator> {
  return network.startValidator(["app-user"], folder, { participantUrl: participant.url });
}

async function walletOf(userName: string): Promise<ValidatorClient> {
  return validatorClient(validator.url, await makeToken(userName));
}

const balance = async (wallet: ValidatorClient) => (await wallet.getBalance()).effective_unlocked_qty;
const usernames = async () => (await operator.listUsers()).usernames;
const end = async () => (await network.ledger().getLedgerEnd()).offset;
const onboard = (body: Parameters<ValidatorClient["onboardUser"]>[0]["body"]) =>
  operator.onboardUser({ body });
const offboard = (username: string) => operator.offboardUser({ query: { username } });

async function userOf(id: string) {
  const { users } = await network.ledger().listUsers({});
  return users.find((user) => user.id === id);
}

async function rightsOf(id: string) {
  return (await network.ledger().listUserRights({ params: { "user-id": id } })).rights;
}

async function allocate(partyIdHint: string): Promise<string> {
  return (await network.ledger().allocateParty({ body: { partyIdHint } })).partyDetails.party;
}

describe("a user that registers", () => {
  test("has a wallet at once, with a party of its own and the right to act as it alone", async () => {
    const name = "auth0|anna_1";
    const anna = await walletOf(name);
    expect(await anna.userStatus()).toMatchObject({ party_id: "", user_onboarded: false });
    const { party_id } = await anna.register();
    expect(party_id).toBe(`auth0_007canna__1::${namespace}`);
    expect(await anna.userStatus()).toMatchObject({
      ...{ party_id, user_onboarded: true, user_wallet_installed: true },
    });
    await anna.tap({ body: { amount: "2" } });
    expect(await balance(anna)).toBe("400.0000000000");
    expect(await usernames()).toContain(name);
    expect((await userOf(name))?.primaryParty).toBe(party_id);
    expect(await rightsOf(name)).toEqual([{ kind: { CanActAs: { value: { party: party_id } } } }]);
    await network.net.settle();
    await validator.idle();
    expect(await network.listActive(ValidatorRight, party_id)).toHaveLength(1);
  });

  test("and repeats it, several at once, has one wallet; a body is ignored", async () => {
    const name = fresh("many");
    const user = await walletOf(name);
    const answers = await Promise.all([user.register(), user.register(), user.register()]);
    const party = answers[0]?.party_id ?? "";
    expect(answers).toEqual([{ party_id: party }, { party_id: party }, { party_id: party }]);
    await network.net.settle();
    await validator.idle();
    const before = await end();
    for (const body of ["null", "{}", "", "["]) {
      const response = await fetch(`${validator.url}/api/validator/v0/register`, {
        method: "POST",
        headers: { authorization: `Bearer ${await makeToken(name)}`, "content-type": "application/json" },
        body,
      });
      expect([response.status, await response.json()]).toEqual([200, { party_id: party }]);
    }
    expect(await end()).toBe(before);
    expect(await network.listActive(WalletAppInstall, party)).toHaveLength(1);
  });

  test("without a wallet is told where to get one", async () => {
    const { token } = await network.makeUser("walletless");
    const { status, body } = await outcomeOf(validatorClient(validator.url, token).getBalance());
    expect(status).toBe(404);
    expect(body).toEqual({ error: expect.stringMatching(/POST \/v0\/register.*POST \/v0\/admin\/users/) });
  });

  test("does not get a party that was made for another purpose", async () => {
    const name = fresh("treasure");
    const party = await allocate(name);
    const { status, body } = await outcomeOf((await walletOf(name)).register());
    expect(status).toBe(409);
    expect(body).toEqual({ error: expect.stringContaining(party) });
    expect(await userOf(name)).toBeUndefined();
    expect(await onboard({ name, party_id: party })).toEqual({ party_id: party });
    expect(await (await walletOf(name)).register()).toEqual({ party_id: party });
  });

  test("does not get back a right that was taken away, nor a wallet while it is deactivated", async () => {
    const ledger = network.ledger();
    const name = fresh("reader");
    const { party, token } = await network.makeUser(name);
    const rights = [{ kind: { CanActAs: { value: { party } } } }];
    await ledger.revokeUserRights({ params: { "user-id": name }, body: { userId: name, rights } });
    const user = validatorClient(validator.url, token);
    expect(await outcomeOf(user.register())).toEqual({
      status: 403,
      body: { error: `Authorization Failed for ${name}` },
    });
    expect(await rightsOf(name)).toEqual([]);
    await ledger.grantUserRights({ params: { "user-id": name }, body: { userId: name, rights } });
    const change = { user: { id: name, isDeactivated: true }, updateMask: { paths: ["is_deactivated"] } };
    await ledger.updateUser({ params: { "user-id": name }, body: change });
    expect(await statusOf(user.register())).toBe(403);
    expect(await usernames()).not.toContain(name);
  });

  test("comes back only by the operator after the operator has deleted it", async () => {
    const name = fresh("deleted");
    const user = await walletOf(name);
    const { party_id } = await user.register();
    await network.ledger().deleteUser({ params: { "user-id": name } });
    const { status, body } = await outcomeOf(user.register());
    expect([status, body]).toEqual([409, { error: expect.stringContaining("/v0/admin/users") }]);
    expect(await statusOf(user.getBalance())).toBe(403);
    expect(await onboard({ name })).toEqual({ party_id });
    expect(await balance(user)).toBe("0.0000000000");
  });
});

describe("POST /v0/admin/users", () => {
  test.each([undefined, true])("without a party, createPartyIfMissing %s: creates one", async (given) => {
    const name = fresh("made_by");
    const { party_id } = await onboard({
      name,
      ...(given === undefined ? {} : { createPartyIfMissing: given }),
    });
    expect(party_id).toBe(`${name.replace("_", "__")}::${namespace}`);
    expect(await (await walletOf(name)).userStatus()).toMatchObject({ party_id, user_onboarded: true });
  });

  test("without a party that may be created: the user's own, or none", async () => {
    const name = fresh("own");
    expect(await statusOf(onboard({ name, createPartyIfMissing: false }))).toBe(400);
    expect(await userOf(name)).toBeUndefined();
    const { party } = await network.makeUser(name);
    expect(await onboard({ name, createPartyIfMissing: false })).toEqual({ party_id: party });
  });

  test("with a party: that one, if the participant hosts it", async () => {
    const [name, party_id] = [fresh("bound"), await allocate(fresh("given"))];
    const stranger = `nobody::1220${"ab".repeat(32)}`;
    for (const unknown of [stranger, `nobody::${namespace}`, "nobody", ""]) {
      const { status, body } = await outcomeOf(onboard({ name, party_id: unknown }));
      expect([status, body]).toEqual([400, { error: expect.stringContaining("party_id") }]);
    }
    expect(await userOf(name)).toBeUndefined();
    expect(await onboard({ name, party_id })).toEqual({ party_id });
    expect(await rightsOf(name)).toEqual([{ kind: { CanActAs: { value: { party: party_id } } } }]);
  });

  test("with a party that may be created: one of that hint, whatever its namespace", async () => {
    const [name, hint] = [fresh("hinted"), fresh("hint")];
    const request = { party_id: `${hint}::1220${"cd".repeat(32)}`, createPartyIfMissing: true };
    expect(await onboard({ name, ...request })).toEqual({ party_id: `${hint}::${namespace}` });
    const second = fresh("hinted");
    expect(await onboard({ name: second, ...request })).toEqual({ party_id: `${hint}::${namespace}` });
  });

  test("keeps the party of a user that has one", async () => {
    const name = fresh("kept");
    const { party } = await network.makeUser(name);
    const other = await allocate(fresh("other"));
    expect(await onboard({ name, party_id: other })).toEqual({ party_id: party });
    const change = { party_id: other, createPartyIfMissing: true };
    expect(await onboard({ name, ...change })).toEqual({ party_id: party });
  });

  test.each(["", "..", "a b", "é", "x".repeat(129)])("refuses the name %j", async (name) => {
    const before = await end();
    expect(await statusOf(onboard({ name }))).toBe(400);
    expect(await end()).toBe(before);
  });
});

describe("users of one party", () => {
  test("that come at once have a wallet each, and one gives the right to their rewards with it", async () => {
    const party = await allocate(fresh("shared"));
    const names = [fresh("first"), fresh("second"), fresh("third")];
    await Promise.all(names.map((name) => onboard({ name, party_id: party, createPartyIfMissing: false })));
    expect(await network.listActive(WalletAppInstall, party)).toHaveLength(3);
    expect(await network.listActive(ValidatorRight, party)).toHaveLength(1);
  });

  test("share its coin; each leaves alone, and the last one ends the validator's right", async () => {
    const [first, second] = [fresh("first"), fresh("second")];
    const { party_id } = await onboard({ name: first });
    expect(await onboard({ name: second, party_id })).toEqual({ party_id });
    const [one, two] = [await walletOf(first), await walletOf(second)];
    await one.tap({ body: { amount: "1" } });
    expect([await balance(one), await balance(two)]).toEqual(["200.0000000000", "200.0000000000"]);
    await validator.idle();
    const rights = await network.listActive(ValidatorRight, party_id);
    expect(rights).toHaveLength(1);
    await offboard(first);
    expect(await statusOf(one.getBalance())).toBe(403);
    expect(await userOf(first)).toBeUndefined();
    expect(await usernames()).not.toContain(first);
    await validator.idle();
    expect(await network.listActive(ValidatorRight, party_id)).toEqual(rights);
    await two.tap({ body: { amount: "1" } });
    expect(await balance(two)).toBe("400.0000000000");
    await offboard(second);
    await validator.idle();
    expect(await network.listActive(ValidatorRight, party_id)).toEqual([]);
    expect(await network.listActive(WalletAppInstall, party_id)).toEqual([]);
    expect(await network.listActive(Amulet, party_id)).not.toEqual([]);
    const before = await end();
    await offboard(second);
    await offboard(fresh("nobody"));
    expect(await end()).toBe(before);
    // The party was created for the first user, and is there for it again.
    expect(await one.register()).toEqual({ party_id });
    await validator.idle();
    expect(await balance(one)).toBe("400.0000000000");
    expect(await network.listActive(ValidatorRight, party_id)).toHaveLength(1);
    expect(await statusOf(two.getBalance())).toBe(403);
  });

  test("a user of the configuration stays", async () => {
    const { status, body } = await outcomeOf(offboard("app-user"));
    expect([status, body]).toEqual([400, { error: expect.stringContaining("app-user") }]);
    await onboard({ name: SERVICE_USER });
    expect(await statusOf(offboard(SERVICE_USER))).toBe(400);
    expect(await usernames()).toEqual(expect.arrayContaining(["app-user", SERVICE_USER]));
  });
});

test("users stay over a restart, with the store and without it", async () => {
  const name = fresh("stays");
  const { party_id } = await (await walletOf(name)).register();
  await (await walletOf(name)).tap({ body: { amount: "1" } });
  await validator.close();
  validator = await startAgain();
  operator = validatorClient(validator.url, network.net.serviceToken);
  expect(await (await walletOf(name)).userStatus()).toMatchObject({ party_id, user_wallet_installed: true });
  expect(await balance(await walletOf(name))).toBe("200.0000000000");
  const other = await startAgain("without-store");
  expect(await balance(validatorClient(other.url, await makeToken(name)))).toBe("200.0000000000");
  await other.close();
});

/** Calls about users, parties and commands; those of the follower go elsewhere. */
const isCounted = (path: string) => /^\/v2\/(commands|parties|users)/.test(path);

test.each<["are lost" | "are refusals", Fault]>([
  ["are lost", "lose"],
  ["are refusals", { status: 503, body: {} }],
])("registering and offboarding go on where they were cut off, whichever answers %s", async (_, fault) => {
  let wasSpoilt = true;
  for (let number = 1; wasSpoilt; number++) {
    wasSpoilt = false;
    const name = fresh("cut");
    const party = `${name}::${namespace}`;
    const wallet = await walletOf(name);
    for (const act of [() => wallet.register(), () => offboard(name)]) {
      // The grant of a user with a wallet is cached.
      await outcomeOf(wallet.getBalance());
      let left = number;
      participant.spoil = (path) => {
        if (!isCounted(path) || --left !== 0) return undefined;
        wasSpoilt = true;
        return fault;
      };
      await outcomeOf(act());
      participant.spoil = () => undefined;
      if ((await userOf(name)) === undefined) expect(await statusOf(wallet.getBalance())).toBe(403);
      await act();
      const isIn = (await usernames()).includes(name);
      expect(await network.listActive(WalletAppInstall, party)).toHaveLength(isIn ? 1 : 0);
      expect((await userOf(name))?.primaryParty).toBe(isIn ? party : undefined);
    }
    expect(await usernames()).not.toContain(name);
  }
});
