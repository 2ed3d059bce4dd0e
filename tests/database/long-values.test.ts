// The longest values that the ledger and the APIs admit fit into every index of both roles' stores, and stores from before
// long texts were hashed find their rows again.

import {
  AnsEntryContext,
  type AnyTemplateDeclaration,
  commandKey,
  SubscriptionIdleState,
} from "@callsign/ledger";
import { systemHost, TEXT_DICTIONARIES } from "@callsign/node";
import { describe, expect, test } from "vitest";
import type { StreamItem } from "../../packages/api/src/index.ts";
import { IdentityProviderStore } from "../../packages/participant/src/store/identity-provider-store.ts";
import { LedgerStore } from "../../packages/participant/src/store/ledger-store.ts";
import { participantMigrations } from "../../packages/participant/src/store/open-participant-store.ts";
import { UserStore } from "../../packages/participant/src/store/user-store.ts";
import { walletMigrations } from "../../packages/validator/src/store/wallet-migrations.ts";
import { type ContractQuery, WalletStore } from "../../packages/validator/src/store/wallet-store.ts";
import { STORE_KINDS } from "../support/postgres.ts";
import { Random } from "../support/random.ts";
import { StorePlaceOfTest, upTo } from "./stores.ts";

const random = new Random(2704);
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"];

/** Random, so that a database cannot compress it. */
const letters = (length: number) => Array.from({ length }, () => random.pick(LETTERS)).join("");
/** Three bytes a character. */
const wide = (length: number) =>
  String.fromCharCode(...Array.from({ length }, () => random.between(0x4e_00, 0x9f_ff)));
const party = (hint = letters(185)) => `${hint}::${letters(68)}`;
const hex = (length: number) => Array.from({ length }, () => random.below(16).toString(16)).join("");

const contractId = () => `00${hex(252)}`;

describe.for(STORE_KINDS)("on %s", (kind) => {
  test("a participant stores the longest ids and a command of 200 parties", async (context) => {
    const store = await new StorePlaceOfTest(kind, context).open(participantMigrations);
    const ledger = new LedgerStore(store);
    await ledger.open();
    const parties = Array.from({ length: 200 }, () => party());
    const command = { userId: wide(255), commandId: wide(255), actAs: parties };
    const [first = ""] = parties;
    const item: StreamItem = {
      recordTime: "1",
      completion: { ...command, submissionId: wide(255), updateId: `1220${hex(64)}`, error: null },
      update: {
        updateId: `1220${hex(64)}`,
        ledgerTime: "1",
        events: [
          {
            kind: "created",
            ...{
              nodeId: 0,
              contractId: contractId(),
              templateId: `${hex(64)}:${letters(200)}:${letters(200)}`,
            },
            ...{ payload: "{}", createdAt: "0", acsDelta: true },
            ...{ signatories: parties, observers: [], witnesses: parties },
          },
        ],
      },
      hostings: parties.map((each) => ({ party: each, hosted: true })),
    };
    await ledger.ingest([{ offset: 1, digest: "d", body: JSON.stringify(item), cause: null }]);
    expect(await ledger.findAccepted(commandKey(command))).toMatchObject({ recordTime: 1n });
    const fewer = { ...command, actAs: parties.slice(1) };
    expect(await ledger.findAccepted(commandKey(fewer))).toBeUndefined();
    const users = new UserStore(store, systemHost.clock);
    const user = { id: letters(128), primaryParty: first, identityProviderId: letters(255) };
    const more = { isDeactivated: false, primaryPartyAuthentication: false, resourceVersion: 0n };
    const rights = [{ kind: "CanExecuteAs", party: first }] as const;
    await users.create({ ...user, ...more, annotations: {} }, rights);
    expect(await users.listRights(user.id)).toEqual(rights);
    const page = { identityProviderId: user.identityProviderId, after: "", limit: 2 };
    expect((await users.list(page)).items).toMatchObject([user]);
  });

  test("an issuer of 4,096 characters belongs to one identity provider", async (context) => {
    const place = new StorePlaceOfTest(kind, context);
    const before = await place.open(upTo(participantMigrations, 2));
    await before.run(
      "insert into identity_provider values ('first', 0, 'https://first', 'https://keys', '')",
    );
    await before.close();
    const providers = new IdentityProviderStore(await place.open(participantMigrations));
    expect(await providers.find("first")).toMatchObject({ issuer: "https://first", isDeactivated: false });
    const issuer = wide(4096);
    const config = {
      identityProviderId: letters(255),
      isDeactivated: false,
      issuer,
      jwksUrl: "",
      audience: "",
    };
    expect(await providers.create(config)).toBeNull();
    expect(await providers.findByIssuer(issuer)).toEqual(config);
    expect(await providers.create({ ...config, identityProviderId: "other" })).toBe("issuer-taken");
    expect(await providers.update("first", (known) => ({ ...known, issuer }))).toBe("issuer-taken");
  });

  test("commands of an earlier participant's store are found, short and long", async (context) => {
    const place = new StorePlaceOfTest(kind, context);
    const before = await place.open(upTo(participantMigrations, 2));
    // As long as PostgreSQL took them, more than one page of them.
    const keys = ["short", ...Array.from({ length: 520 }, () => letters(random.between(390, 2600)))];
    await before.transaction(async (sql) => {
      for (const [i, key] of keys.entries())
        await sql.run("insert into completion values ($1, $2, $3, 0, 1)", BigInt(i), key, `s${i}`);
    });
    await before.close();
    const ledger = new LedgerStore(await place.open(participantMigrations));
    for (const i of [0, 1, 2, 499, 500, 501, 520])
      expect(await ledger.findAccepted(keys[i] ?? "")).toMatchObject({ submissionId: `s${i}` });
  });

  test("a validator stores and finds names of any length, and times before all times", async (context) => {
    const store = await new StorePlaceOfTest(kind, context).open(walletMigrations);
    const wallet = new WalletStore(store);
    const [dso, user] = [party(), party("sha256")];
    await wallet.restart([user], dso);
    const name = wide(100_000);
    await apply(wallet, dso, [[AnsEntryContext, contextOf({ dso, user, name })]]);
    // The text by which the row is found is a name that somebody may ask for.
    const lookAlike = String((await store.get("select name from contracts"))?.["name"]);
    const asked = contextOf({ dso, user, name: lookAlike });
    const idle = {
      subscription: contractId(),
      subscriptionData: { sender: user, receiver: dso, provider: dso, dso, description: "" },
      payData: { ...TERMS, paymentDuration: { microseconds: String(2n ** 63n - 1n) } },
      nextPaymentDueAt: "0001-01-01T00:00:00Z",
      reference: asked.reference,
    };
    await apply(wallet, dso, [
      [AnsEntryContext, asked],
      [SubscriptionIdleState, idle],
    ]);
    const namesOf = async (sought: ContractQuery) =>
      (await wallet.list(AnsEntryContext, sought)).map(({ payload }) => payload.name);
    expect(await namesOf({ owner: user, name })).toEqual([name]);
    expect(await namesOf({ name: lookAlike })).toEqual([lookAlike]);
    expect(await namesOf({ link: asked.reference })).toEqual([lookAlike]);
    expect(await namesOf({ name: `${name}x` })).toEqual([]);
    expect((await wallet.readTerms(user))(lookAlike)).toMatchObject({
      paymentDuration: { microseconds: 2n ** 63n - 1n },
    });
    expect((await wallet.readTerms(user))(name)).toBeUndefined();
    expect(await wallet.list(SubscriptionIdleState, { link: idle.subscription })).toHaveLength(1);
  });

  test("names of an earlier validator's store are found, short and long", async (context) => {
    const place = new StorePlaceOfTest(kind, context);
    const before = await place.open(upTo(walletMigrations, 5));
    const [dso, user] = [party(), party()];
    const names = ["short", letters(500), `sha256:${hex(64)}`];
    for (const name of names) {
      const payload = JSON.stringify(contextOf({ dso, user, name }));
      await before.run(
        "insert into contracts values ($1, 'AnsEntryContext', 'T', $2, '', $3, null, null, $4, '', $5, 1, 1)",
        ...[contractId(), user, name, payload, CREATED_AT],
      );
      await before.run("insert into entry_terms values ($1, $2, $3)", user, name, JSON.stringify(TERMS));
    }
    await before.close();
    // The next migrations empty the copy.
    const plan = upTo(walletMigrations, 6);
    const opened = await place.open({ ...plan, migrations: [...plan.migrations, TEXT_DICTIONARIES] });
    const wallet = new WalletStore(opened);
    for (const name of names) {
      const found = await wallet.list(AnsEntryContext, { owner: user, name });
      expect(found.map(({ payload }) => payload.name)).toEqual([name]);
      expect((await wallet.readTerms(user))(name)).toBeDefined();
    }
  });
});

const CREATED_AT = "2026-01-01T00:00:00Z";
const TERMS = {
  paymentAmount: { amount: "1.0000000000", unit: "USDUnit" },
  paymentInterval: { microseconds: "1" },
  paymentDuration: { microseconds: "1" },
};

function contextOf(given: { readonly dso: string; readonly user: string; readonly name: string }) {
  return { ...given, url: "", description: "", reference: contractId() };
}

/** Contracts in the JSON of the participant's updates. */
async function apply(
  wallet: WalletStore,
  dso: string,
  payloads: readonly (readonly [template: AnyTemplateDeclaration, createArgument: object])[],
): Promise<void> {
  const { offset } = await wallet.position();
  const events = payloads.map(([{ module, entity }, createArgument], nodeId) => ({
    CreatedEvent: {
      contractId: contractId(),
      templateId: `${hex(64)}:${module}:${entity}`,
      ...{ createArgument, createdEventBlob: "", createdAt: CREATED_AT, offset: offset + 1, nodeId },
    },
  }));
  const transactions = [{ events }] as unknown as Parameters<WalletStore["apply"]>[0];
  await wallet.apply(transactions, { from: offset, offset: offset + 1, recordTime: 1n, dso });
}
