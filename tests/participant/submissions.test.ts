/** Submissions: what they answer, what is refused at once, what only the ledger decides. */
import { beforeAll, describe, expect, test } from "vitest";
import { RenewalPreference } from "../../packages/ledger/src/index.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import {
  type Actor,
  caughtUp,
  type LedgerClient,
  newActor,
  newParticipant,
  ready,
  type TestParticipant,
} from "../support/participants.ts";
import { type SvNodes, startSvNodes } from "../support/sv-nodes.ts";
import { refusalOf } from "./call.ts";
import {
  createPreference,
  everythingOf,
  listActive,
  PREFERENCE,
  preferenceOf,
  SOME_CONTRACT_ID,
  setPreference,
} from "./preferences.ts";

const atEnd = atEndOfFile();
let network: SvNodes;
let participant: TestParticipant;
let alice: Actor;
let bob: Actor;

beforeAll(async () => {
  network = await startSvNodes(1, atEnd);
  participant = await newParticipant(network.sequencers, {}, atEnd);
  await ready(participant);
  alice = await newActor(participant, "alice");
  bob = await newActor(participant, "bob");
});

async function create(given = {}): Promise<string> {
  const body = { commands: createPreference(alice.party, given) };
  const { transaction } = await alice.client.submitAndWaitForTransaction({ body });
  const [event] = transaction.events;
  if (event === undefined || !("CreatedEvent" in event)) throw new Error("nothing was created");
  return event.CreatedEvent.contractId;
}

describe("a transaction is answered", () => {
  test("as an ACS delta of the submitters, unless another format is asked for", async () => {
    const commands = createPreference(alice.party, { provider: bob.party, workflowId: "flow" });
    const { transaction } = await alice.client.submitAndWaitForTransaction({ body: { commands } });
    expect(transaction).toMatchObject({ commandId: commands.commandId, workflowId: "flow" });
    expect(transaction.synchronizerId).toMatch(/^global-domain::1220/);
    const [event] = transaction.events;
    expect(event).toMatchObject({
      CreatedEvent: {
        templateId: RenewalPreference.id,
        packageName: "callsign-names",
        createArgument: { ...preferenceOf(alice.party, bob.party) },
        witnessParties: [alice.party],
        signatories: [alice.party],
        observers: [bob.party],
        createdEventBlob: "",
        contractKey: null,
        contractKeyHash: "",
        acsDelta: true,
      },
    });
  });

  test("with ledger effects: exercise and creation, with argument and result", async () => {
    const contractId = await create();
    const { transaction } = await alice.client.submitAndWaitForTransaction({
      body: {
        commands: setPreference(alice.party, contractId),
        transactionFormat: {
          eventFormat: everythingOf(alice.party),
          transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS",
        },
      },
    });
    const [exercised, created] = transaction.events;
    if (created === undefined || !("CreatedEvent" in created)) throw new Error("nothing was created");
    expect(exercised).toMatchObject({
      ExercisedEvent: {
        contractId,
        choice: "RenewalPreference_Set",
        choiceArgument: { autoRenew: false },
        exerciseResult: { preference: created.CreatedEvent.contractId },
        consuming: true,
        actingParties: [alice.party],
        lastDescendantNodeId: 1,
        interfaceId: null,
      },
    });
  });

  test("even if the format selects none of its events", async () => {
    const { transaction } = await alice.client.submitAndWaitForTransaction({
      body: {
        commands: createPreference(alice.party),
        transactionFormat: {
          eventFormat: {
            filtersByParty: {
              [alice.party]: {
                cumulative: [
                  {
                    identifierFilter: {
                      TemplateFilter: { value: { templateId: "#splice-amulet:Splice.Amulet:Amulet" } },
                    },
                  },
                ],
              },
            },
          },
          transactionShape: "TRANSACTION_SHAPE_ACS_DELTA",
        },
      },
    });
    expect(transaction.events).toEqual([]);
  });

  test("for templates named by package id, and for creating and exercising in one command", async () => {
    const { updateId } = await alice.client.submitAndWait({
      body: createPreference(alice.party, {
        commands: [
          {
            CreateAndExerciseCommand: {
              templateId: RenewalPreference.id,
              createArguments: preferenceOf(alice.party),
              choice: "Archive",
              choiceArgument: null,
            },
          },
        ],
      }),
    });
    expect(updateId).toMatch(/^1220/);
  });
});

test("the result of a choice that only archives is the name of its enum's constructor", async () => {
  const right = { dso: bob.party, user: alice.party, validator: alice.party };
  const { transaction } = await alice.client.submitAndWaitForTransaction({
    body: {
      commands: createPreference(alice.party, {
        commands: [
          {
            CreateAndExerciseCommand: {
              templateId: "#splice-amulet:Splice.Amulet:ValidatorRight",
              createArguments: right,
              choice: "ValidatorRight_ArchiveAsUser",
              choiceArgument: {},
            },
          },
        ],
      }),
      transactionFormat: {
        eventFormat: everythingOf(alice.party),
        transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS",
      },
    },
  });
  expect(transaction.events[1]).toMatchObject({
    ExercisedEvent: { exerciseResult: "ValidatorRight_ArchiveAsUserResult" },
  });
});

test("a failed precondition is answered with the payload as Daml shows it", async () => {
  const createArguments = {
    ...{
      sender: alice.party,
      receiver: bob.party,
      dso: bob.party,
      trackingId: "",
      description: "x".repeat(280),
    },
    ...{ amount: { amount: "1.5", unit: "AmuletUnit" }, expiresAt: "2090-01-01T00:00:00Z" },
  };
  const templateId = "#splice-wallet:Splice.Wallet.TransferOffer:TransferOffer";
  const body = createPreference(alice.party, {
    commands: [{ CreateCommand: { templateId, createArguments } }],
  });
  const refused = await refusalOf(alice.client.submitAndWait({ body }));
  expect(refused).toMatchObject({ status: 400, code: "DAML_FAILURE" });
  expect(refused.cause).toContain(
    `: Template precondition violated: TransferOffer {sender = '${alice.party}', receiver = '`,
  );
  expect(refused.cause).toMatch(/\.\.\.$/);
});

describe("refused before anything is sent:", () => {
  const change = (changed: object) => () => createPreference(alice.party, changed);
  const exercise = (changed: object) => () => setPreference(alice.party, SOME_CONTRACT_ID, changed);
  const payload = (createArguments: unknown) =>
    change({ commands: [{ CreateCommand: { templateId: PREFERENCE, createArguments } }] });
  const template = (templateId: string) =>
    change({ commands: [{ CreateCommand: { templateId, createArguments: {} } }] });
  const choice = (choice: string, choiceArgument: unknown = {}, contractId = SOME_CONTRACT_ID) =>
    change({
      commands: [{ ExerciseCommand: { templateId: PREFERENCE, contractId, choice, choiceArgument } }],
    });
  const seconds = (value: number) => ({ DeduplicationDuration: { value: { seconds: value } } });
  const cases: readonly [string, () => object, number, string][] = [
    ["no commands", change({ commands: [] }), 400, "MISSING_FIELD"],
    ["no command id", change({ commandId: "" }), 400, "MISSING_FIELD"],
    ["nobody acts", change({ actAs: [] }), 400, "MISSING_FIELD"],
    ["a command id with other characters", change({ commandId: "a\nb" }), 400, "INVALID_FIELD"],
    ["a workflow id that is too long", change({ workflowId: "w".repeat(256) }), 400, "INVALID_FIELD"],
    ["a malformed template", template("a:b"), 400, "INVALID_ARGUMENT"],
    ["a malformed package", template("###X:M:E"), 400, "INVALID_ARGUMENT"],
    ["a preference for no package", change({ packageIdSelectionPreference: ["#a"] }), 400, "INVALID_FIELD"],
    ["an unknown package name", template("#nothing:M:E"), 400, "JSON_API_PACKAGE_SELECTION_FAILED"],
    ["an unknown package id", template(`${"0".repeat(64)}:M:E`), 404, "PACKAGE_NOT_FOUND"],
    ["an unknown template", template("#splice-amulet:M:E"), 404, "TEMPLATES_OR_INTERFACES_NOT_FOUND"],
    [
      "an interface",
      template("#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding"),
      400,
      "INVALID_ARGUMENT",
    ],
    ["missing fields", payload({}), 400, "COMMAND_PREPROCESSING_FAILED"],
    ["another field", payload({ ...preferenceOf("a::b"), x: 1 }), 400, "INVALID_ARGUMENT"],
    ["another type", payload({ ...preferenceOf("a::b"), autoRenew: "yes" }), 400, "INVALID_ARGUMENT"],
    ["no payload", payload(null), 400, "INVALID_ARGUMENT"],
    ["a list as payload", payload([]), 400, "INVALID_ARGUMENT"],
    ["an unknown choice", choice("Nothing"), 400, "COMMAND_PREPROCESSING_FAILED"],
    ["no choice", choice(""), 400, "MISSING_FIELD"],
    ["a malformed contract id", choice("Archive", {}, "x"), 400, "INVALID_FIELD"],
    ["an unknown contract", exercise({}), 404, "CONTRACT_NOT_FOUND"],
    ["somebody else's signature", payload(preferenceOf("bob::1220ab")), 400, "DAML_AUTHORIZATION_ERROR"],
    [
      "too long a deduplication",
      change({ deduplicationPeriod: seconds(604_801) }),
      400,
      "INVALID_DEDUPLICATION_PERIOD",
    ],
    ["a negative deduplication", change({ deduplicationPeriod: seconds(-1) }), 400, "INVALID_FIELD"],
    [
      "a deduplication offset ahead",
      change({ deduplicationPeriod: { DeduplicationOffset: { value: 1_000_000 } } }),
      400,
      "OFFSET_AFTER_LEDGER_END",
    ],
    [
      "two earliest times",
      change({ minLedgerTimeAbs: "2026-01-01T00:00:00Z", minLedgerTimeRel: { seconds: 1 } }),
      400,
      "INVALID_ARGUMENT",
    ],
    ["an earliest time that is none", change({ minLedgerTimeAbs: "tomorrow" }), 400, "INVALID_FIELD"],
    [
      "an earliest time that has not come",
      change({ minLedgerTimeAbs: "2090-01-01T00:00:00Z" }),
      400,
      "LEDGER_TIME_OUTSIDE_BOUNDS",
    ],
    [
      "an earliest time that no calendar has",
      change({ minLedgerTimeRel: { seconds: 1e12 } }),
      400,
      "INVALID_FIELD",
    ],
    ["another synchronizer", change({ synchronizerId: "other::1220" }), 400, "NOT_CONNECTED_TO_SYNCHRONIZER"],
    [
      "a disclosed contract without a blob",
      change({ disclosedContracts: [{ contractId: SOME_CONTRACT_ID, createdEventBlob: "" }] }),
      400,
      "MISSING_FIELD",
    ],
    [
      "a blob that is no base64",
      change({ disclosedContracts: [{ createdEventBlob: "?" }] }),
      400,
      "INVALID_ARGUMENT",
    ],
    ["a made-up blob", change({ disclosedContracts: [{ createdEventBlob: "YWJj" }] }), 400, "INVALID_FIELD"],
  ];
  test.each(cases)("%s", async (_, make, status, code) => {
    const before = await alice.client.getLedgerEnd();
    const body = make() as Parameters<LedgerClient["submitAndWait"]>[0]["body"];
    const refused = await refusalOf(alice.client.submitAndWait({ body }));
    expect(refused).toMatchObject({ status, code });
    expect(await alice.client.getLedgerEnd()).toEqual(before);
  });

  test("parties that are not hosted here", async () => {
    const stranger = `stranger::${alice.party.split("::")[1]}`;
    const rights = [{ kind: { CanActAs: { value: { party: stranger } } } }];
    await participant.admin.grantUserRights({ params: { "user-id": "alice" }, body: { rights } });
    const refused = await refusalOf(alice.client.submitAndWait({ body: createPreference(stranger) }));
    expect(refused).toMatchObject({ status: 404, code: "UNKNOWN_SUBMITTERS" });
  });
});

describe("a command", () => {
  test("that was accepted is not accepted again, in any order of its parties", async () => {
    const commandId = "twice";
    await alice.client.submitAndWait({ body: createPreference(alice.party, { commandId }) });
    const again = await refusalOf(
      alice.client.submitAndWait({
        body: createPreference(alice.party, { commandId, submissionId: "mine" }),
      }),
    );
    expect(again).toMatchObject({ status: 409, code: "DUPLICATE_COMMAND", correlationId: "mine" });
    expect(again.context["existing_submission_id"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("may be repeated behind its deduplication period", async () => {
    const commandId = "later";
    const { completionOffset } = await alice.client.submitAndWait({
      body: createPreference(alice.party, { commandId }),
    });
    const deduplicationPeriod = { DeduplicationOffset: { value: completionOffset } };
    await alice.client.submitAndWait({
      body: createPreference(alice.party, { commandId, deduplicationPeriod }),
    });
  });

  test("that is under way is not started again", async () => {
    const commandId = "at-once";
    const body = createPreference(alice.party, { commandId });
    const all = await Promise.allSettled([1, 2, 3, 4].map(() => alice.client.submitAndWait({ body })));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const each of all) {
      if (each.status === "fulfilled") continue;
      const { code, status } = await refusalOf(Promise.reject(each.reason));
      expect(["SUBMISSION_ALREADY_IN_FLIGHT", "DUPLICATE_COMMAND"]).toContain(code);
      expect(status).toBe(409);
    }
  });
});

test("of two concurrent submissions that use a contract, one is accepted", async () => {
  const contractId = await create();
  const all = await Promise.allSettled(
    [1, 2].map(() => alice.client.submitAndWait({ body: setPreference(alice.party, contractId) })),
  );
  const losers = all.filter((each) => each.status === "rejected");
  expect(losers).toHaveLength(1);
  const refused = await refusalOf(Promise.reject((losers[0] as PromiseRejectedResult).reason));
  expect(["LOCAL_VERDICT_INACTIVE_CONTRACTS", "CONTRACT_NOT_FOUND"]).toContain(refused.code);
  expect(refused.status).toBe(404);
});

test("a party of another participant sees its contracts, and may use disclosed ones", async () => {
  const other = await newParticipant(network.sequencers, { nodeIdentifier: "other" });
  await ready(other);
  const carol = await newActor(other, "carol");
  await create({ provider: carol.party });
  await caughtUp(other, network.svs);
  const active = await listActive(carol.client, carol.party);
  expect(active).toHaveLength(1);
  const updates = await carol.client.listUpdates({
    body: { beginExclusive: 0, filter: { filtersByParty: { [carol.party]: {} } } },
  });
  const [first] = updates.flatMap(({ update }) =>
    "Transaction" in update ? [update.Transaction.value] : [],
  );
  expect(first).toMatchObject({ commandId: "", workflowId: "" });
});

test("a submission follows the network's clock when it is moved", async () => {
  const before = await create();
  await network.svs[0]?.moveClock(60n * 86_400_000_000n);
  await create();
  const events = await alice.client.getEventsByContractId({
    body: { contractId: before, eventFormat: everythingOf(alice.party) },
  });
  const active = await listActive(alice.client, alice.party);
  const last = active.at(-1)?.contractEntry;
  if (last === undefined || !("JsActiveContract" in last)) throw new Error("nothing is active");
  const days =
    (Date.parse(last.JsActiveContract.createdEvent.createdAt) -
      Date.parse(events.created?.createdEvent.createdAt ?? "")) /
    86_400_000;
  expect(Math.round(days)).toBe(60);
});
