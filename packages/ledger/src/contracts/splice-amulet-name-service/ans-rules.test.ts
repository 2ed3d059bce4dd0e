import { describe, expect, test } from "vitest";
import { ENTRY_LIFETIME, RENEWAL_DURATION } from "../../../testing/dso-fixture.ts";
import { aliceEntry, NameNetwork } from "../../../testing/name-fixture.ts";
import {
  expectNotFound,
  expectUnauthorized,
  expectUnmet,
  PRECONDITION_FAILED,
  rejectionOf,
} from "../../../testing/rejection.ts";
import { Sandbox, testParty } from "../../../testing/sandbox.ts";
import { alice, bob } from "../../../testing/subscription-fixture.ts";
import { changesOf } from "../../../testing/transaction-changes.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import { DAY } from "../../values/duration.ts";
import { SubscriptionRequest } from "../splice-wallet-payments/declarations/subscriptions.ts";
import { AnsEntryContext, AnsRules, type AnsRulesConfig } from "./declarations/ans.ts";
import { defaultAnsConfig } from "./default-ans-config.ts";

const dso = testParty("DSO");

describe("AnsRules", () => {
  const create = (config: Partial<AnsRulesConfig>, actAs = [dso]) =>
    new Sandbox().create(AnsRules, { dso, config: { ...defaultAnsConfig, ...config } }, { actAs });

  test.each([
    ["no renewal window", { renewalDuration: { microseconds: 0n } }],
    ["a negative renewal window", { renewalDuration: { microseconds: -1n } }],
    ["no lifetime", { entryLifetime: { microseconds: 0n } }],
    ["a negative lifetime", { entryLifetime: { microseconds: -1n } }],
    ["no fee", { entryFee: decimal("0.0") }],
    ["a negative fee", { entryFee: decimal("-0.0000000001") }],
  ])("cannot have %s", (_what, config) => {
    expect(rejectionOf(() => create(config)).context["error_id"]).toBe(PRECONDITION_FAILED);
  });

  test.each([
    ["the smallest values", { renewalDuration: { microseconds: 1n }, entryLifetime: { microseconds: 1n } }],
    ["the smallest fee", { entryFee: decimal("0.0000000001") }],
    ["a renewal window as long as the lifetime", { renewalDuration: { microseconds: ENTRY_LIFETIME } }],
    ["a renewal window longer than the lifetime", { renewalDuration: { microseconds: 365n * DAY } }],
    ["no prefix", { descriptionPrefix: "" }],
  ])("may have %s", (_what, config) => {
    expect(create(config)).toMatch(/^00/);
  });

  test("can be created by the DSO alone", () => {
    expectUnauthorized(() => create({}, [alice]));
  });

  test("have no choice that changes their configuration", () => {
    expect(Object.keys(AnsRules.choices)).toEqual([
      "AnsRules_RequestEntry",
      "AnsRules_CollectInitialEntryPayment",
      "AnsRules_CollectEntryRenewalPayment",
      "AnsRules_RejectEntryInitialPayment",
    ]);
    expect(Object.values(AnsRules.choices).filter(({ consuming }) => consuming)).toEqual([]);
  });
});

describe("AnsRules_RequestEntry", () => {
  test("makes a subscription request on the rules' terms, and a context that refers to it", () => {
    const network = new NameNetwork();
    const { sandbox } = network;
    const { entryCid, requestCid } = network.requestEntry();
    expect(changesOf(sandbox)).toEqual({
      archived: [],
      created: ["SubscriptionRequest", "AnsEntryContext"],
    });
    expect(sandbox.payloadOf(SubscriptionRequest, requestCid)).toEqual({
      subscriptionData: {
        sender: alice,
        receiver: dso,
        provider: dso,
        dso,
        description: 'ANS entry: "alice.unverified.cns"',
      },
      payData: {
        paymentAmount: { amount: decimal("1.0"), unit: "USDUnit" },
        paymentInterval: { microseconds: ENTRY_LIFETIME },
        paymentDuration: { microseconds: RENEWAL_DURATION },
      },
    });
    expect(sandbox.payloadOf(AnsEntryContext, entryCid)).toEqual({
      dso,
      user: alice,
      ...aliceEntry,
      reference: requestCid,
    });
  });

  test.each([
    ["a name in quotes", "alice.unverified.cns", 'ANS entry: "alice.unverified.cns"'],
    ["quotes in a name escaped", 'a"b', 'ANS entry: "a\\"b"'],
    ["letters beyond ASCII by their number", "zoé1", 'ANS entry: "zo\\233\\&1"'],
    ["an empty name as two quotes", "", 'ANS entry: ""'],
  ])("describes the subscription with %s", (_how, name, description) => {
    const network = new NameNetwork();
    const { requestCid } = network.requestEntry({ name });
    const { subscriptionData } = network.sandbox.payloadOf(SubscriptionRequest, requestCid);
    expect(subscriptionData.description).toBe(description);
  });

  test("takes any name, url and description, as often as it is asked", () => {
    const network = new NameNetwork();
    const odd = { name: "NOT a name!", url: "s3://nowhere", description: "d".repeat(1000) };
    network.requestEntry(odd);
    network.requestEntry(odd);
    network.requestEntry(odd, bob);
    const contexts = network.sandbox.active(AnsEntryContext).map(({ payload }) => payload);
    expect(contexts.map(({ user }) => user)).toEqual([alice, alice, bob]);
    expect(contexts[2]).toMatchObject(odd);
  });

  test("needs the rules disclosed, since the user is no stakeholder of them", () => {
    const { sandbox, ansRules } = new NameNetwork();
    const argument = { ...aliceEntry, user: alice };
    const as = { actAs: [alice] };
    expectNotFound(() => sandbox.exercise(AnsRules, ansRules, "AnsRules_RequestEntry", argument, as));
  });

  test("needs the authority of the user it is for", () => {
    const { sandbox, ansRules } = new NameNetwork();
    const argument = { ...aliceEntry, user: alice };
    const as = { actAs: [bob], disclose: [ansRules] };
    expectUnauthorized(() => sandbox.exercise(AnsRules, ansRules, "AnsRules_RequestEntry", argument, as));
  });
});

describe.each(["AnsRules_CollectInitialEntryPayment", "AnsRules_CollectEntryRenewalPayment"] as const)(
  "%s",
  (choice) => {
    test.each([
      ["the DSO without the user", [dso]],
      ["the user without the DSO", [alice]],
    ])("is refused to %s", (_who, actAs) => {
      const network = new NameNetwork();
      const some = network.ansRules;
      const argument = {
        user: alice,
        entryContext: some,
        paymentCid: some,
        entryCid: some,
        transferContext: network.appContext(),
      };
      const as = { actAs, disclose: [some] };
      expectUnauthorized(() => network.sandbox.exercise(AnsRules, some, choice, argument, as));
    });
  },
);

describe("a context handed to the collection", () => {
  function collect(contextOf: (network: NameNetwork, requestCid: ContractId) => ContractId) {
    const network = new NameNetwork();
    const { requestCid } = network.requestEntry();
    const paymentCid = network.acceptRequest(requestCid);
    const entryContext = contextOf(network, requestCid);
    return network.sandbox.exercise(
      AnsRules,
      network.ansRules,
      "AnsRules_CollectInitialEntryPayment",
      { user: alice, entryContext, paymentCid, transferContext: network.appContext() },
      { actAs: [dso, alice] },
    );
  }
  const context = (network: NameNetwork, change: Partial<AnsEntryContext> & { reference: ContractId }) => {
    const payload = { dso, user: alice, ...aliceEntry, ...change };
    return network.sandbox.create(AnsEntryContext, payload, { actAs: [payload.dso, payload.user] });
  };

  test("may be any that names DSO, user and request", () => {
    const { entryCid } = collect((network, reference) => context(network, { reference }));
    expect(entryCid).toMatch(/^00/);
  });

  test("has to be of the same DSO", () => {
    expectUnmet("matching DSO party", () =>
      collect((network, reference) => context(network, { reference, dso: bob })),
    );
  });

  test("has to be of the same user", () => {
    expectUnmet("User matches", () =>
      collect((network, reference) => context(network, { reference, user: bob })),
    );
  });

  test("has to refer to the request that was paid", () => {
    expectUnmet("Subscription reference matches", () =>
      collect((network) => context(network, { reference: network.ansRules })),
    );
  });
});

test("only the DSO exercises AnsRules_RejectEntryInitialPayment", () => {
  const network = new NameNetwork();
  const paymentCid = network.acceptRequest(network.requestEntry().requestCid);
  const reject = (actAs: readonly (typeof dso)[]) =>
    network.sandbox.exercise(
      AnsRules,
      network.ansRules,
      "AnsRules_RejectEntryInitialPayment",
      { paymentCid, transferContext: network.appContext() },
      { actAs, disclose: [network.ansRules] },
    );
  expectUnauthorized(() => reject([alice]));
  reject([dso]);
  expect(network.balanceOf(alice)).toBe(decimal("200.0"));
});
