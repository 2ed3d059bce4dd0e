/**
 * The token standard as a wallet uses it that knows nothing else of this network: choices by the ids of interfaces,
 * contracts by filters for interfaces, with their views. Factories, contexts and disclosed contracts are those of the registry,
 * and go into submissions as they are.
 */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type ChoiceContext,
  type Client,
  type CreatedEvent,
  createClient,
  type Event,
  registryApi,
  type Transaction,
} from "../../packages/api/src/index.ts";
import {
  AmuletAllocation,
  AmuletTransferInstruction,
  type AnyTemplateDeclaration,
  FeaturedAppActivityMarker,
  type JsonValue,
  LockedAmulet,
  TransferPreapproval,
} from "../../packages/ledger/src/index.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { outcomeOf } from "../support/call-outcome.ts";
import {
  type LedgerClient,
  newActor,
  newParticipant,
  ready,
  type TestParticipant,
} from "../support/participants.ts";
import { type SvNodes, startSvNodes } from "../support/sv-nodes.ts";
import { refusalOf } from "./call.ts";
import { HOLDING, tap, useRules } from "./coins.ts";

const INSTRUCTION = "#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1";
const TRANSFER_FACTORY = `${INSTRUCTION}:TransferFactory`;
const TRANSFER_INSTRUCTION = `${INSTRUCTION}:TransferInstruction`;
const ALLOCATION_FACTORY =
  "#splice-api-token-allocation-instruction-v1:Splice.Api.Token.AllocationInstructionV1:AllocationFactory";
const ALLOCATION = "#splice-api-token-allocation-v1:Splice.Api.Token.AllocationV1:Allocation";

const atEnd = atEndOfFile();
let network: SvNodes;
let participant: TestParticipant;
let tokens: Client<typeof registryApi.endpoints>;
let dso: string;
const parties: Record<string, string> = {};

beforeAll(async () => {
  network = await startSvNodes(1, atEnd);
  participant = await newParticipant(network.sequencers, {}, atEnd);
  await ready(participant);
  for (const name of ["alice", "bob", "venue", "carol"]) {
    parties[name] = (await newActor(participant, name)).party;
  }
  const rights = ["alice", "bob", "venue", "carol"].map((name) => ({
    kind: { CanActAs: { value: { party: partyOf(name) } } },
  }));
  await participant.admin.createUser({ body: { user: { id: "settlement" }, rights } });
  tokens = createClient(registryApi, { fetch, baseUrl: `${network.svs[0]?.scanUrl}` });
  dso = (await tokens.getRegistryInfo()).adminId;
});

function partyOf(name: string): string {
  return parties[name] ?? name;
}

interface Exercising {
  readonly templateId: string;
  readonly contractId: string;
  readonly choice: string;
  readonly choiceArgument: JsonValue;
}

async function exercise(
  user: string,
  command: Exercising,
  { disclosedContracts }: Pick<ChoiceContext, "disclosedContracts">,
  actAs: readonly string[] = [partyOf(user)],
): Promise<Transaction> {
  const { transaction } = await participant.as(user).submitAndWaitForTransaction({
    body: {
      commands: {
        commandId: crypto.randomUUID(),
        actAs: [...actAs],
        commands: [{ ExerciseCommand: command }],
        disclosedContracts,
      },
    },
  });
  return transaction;
}

const NO_CONTEXT: ChoiceContext = { choiceContextData: { values: {} }, disclosedContracts: [] };

function argsWith({ choiceContextData }: ChoiceContext) {
  return { context: choiceContextData, meta: { values: {} } };
}

function minutesFromNow(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString();
}

function createdIn({ events }: { readonly events: readonly Event[] }): readonly CreatedEvent[] {
  return events.flatMap((event) => ("CreatedEvent" in event ? [event.CreatedEvent] : []));
}

function onlyOf(template: AnyTemplateDeclaration, transaction: Transaction): string {
  const [found, ...others] = createdIn(transaction).filter(({ templateId }) => templateId === template.id);
  if (found === undefined || others.length > 0) throw new Error(`not exactly one ${template.entity}`);
  return found.contractId;
}

/** The views of an interface that the party sees. */
async function viewsOf(name: string, interfaceId: string) {
  const client: LedgerClient = participant.as(name);
  const { offset: activeAtOffset } = await client.getLedgerEnd();
  const filter = { InterfaceFilter: { value: { interfaceId, includeInterfaceView: true } } };
  const filters = { cumulative: [{ identifierFilter: filter }] };
  const eventFormat = { filtersByParty: { [partyOf(name)]: filters }, verbose: false };
  const answers = await client.listActiveContracts({ body: { activeAtOffset, eventFormat } });
  return answers.flatMap(({ contractEntry }) => {
    if (!("JsActiveContract" in contractEntry)) return [];
    const { contractId, interfaceViews } = contractEntry.JsActiveContract.createdEvent;
    const [view] = interfaceViews;
    expect(interfaceViews).toHaveLength(1);
    expect(view?.viewStatus).toMatchObject({ code: 0 });
    return [{ contractId, interfaceId: view?.interfaceId, view: view?.viewValue }];
  });
}

/** Amounts of the party's coins, and whether each is locked. */
async function holdingsOf(name: string) {
  const views = await viewsOf(name, HOLDING);
  return views
    .map(({ view }) => view as { owner: string; amount: string; lock?: object | null })
    .filter(({ owner }) => owner === partyOf(name))
    .map(({ amount, lock }) => `${amount}${lock === null || lock === undefined ? "" : " locked"}`)
    .sort();
}

/** The registry ignores a field that it does not know if it is null: a client of others sends one. */
async function offer(coin: string, given: Readonly<Record<string, JsonValue>> = {}) {
  const transfer = {
    ...{ sender: partyOf("alice"), receiver: partyOf("bob"), amount: "4.0" },
    instrumentId: { admin: dso, id: "Amulet" },
    ...{ requestedAt: minutesFromNow(-1), executeBefore: minutesFromNow(60) },
    inputHoldingCids: [coin],
    meta: { values: { "splice.lfdecentralizedtrust.org/reason": "for the pizza" } },
    ...given,
  };
  const empty = { expectedAdmin: dso, transfer, extraArgs: argsWith(NO_CONTEXT) };
  const { factoryId, transferKind, choiceContext } = await tokens.getTransferFactory({
    body: { choiceArguments: { ...empty, transfer: { ...transfer, lock: null } }, excludeDebugFields: true },
  });
  const command = {
    templateId: TRANSFER_FACTORY,
    contractId: factoryId,
    choice: "TransferFactory_Transfer",
    choiceArgument: { ...empty, extraArgs: argsWith(choiceContext) },
  };
  return { ...(await exercise("alice", command, choiceContext)), transferKind };
}

type TransferChoice =
  | "TransferInstruction_Accept"
  | "TransferInstruction_Reject"
  | "TransferInstruction_Withdraw";

function contextOf(choice: TransferChoice, transferInstructionId: string): Promise<ChoiceContext> {
  const asked = { params: { transferInstructionId } };
  switch (choice) {
    case "TransferInstruction_Accept":
      return tokens.getTransferInstructionAcceptContext(asked);
    case "TransferInstruction_Reject":
      return tokens.getTransferInstructionRejectContext(asked);
    case "TransferInstruction_Withdraw":
      return tokens.getTransferInstructionWithdrawContext(asked);
  }
}

async function answer(user: string, contractId: string, choice: TransferChoice, known?: ChoiceContext) {
  const context = known ?? (await contextOf(choice, contractId));
  const choiceArgument = { extraArgs: argsWith(context) };
  return exercise(user, { templateId: TRANSFER_INSTRUCTION, contractId, choice, choiceArgument }, context);
}

describe("a transfer of the token standard", () => {
  let coin: string;
  let before: { readonly alice: readonly string[]; readonly bob: readonly string[] };

  beforeEach(async () => {
    before = { alice: await holdingsOf("alice"), bob: await holdingsOf("bob") };
    coin = await tap(network, participant.as("alice"), partyOf("alice"), "10.0");
  });

  test("is offered through the factory's interface, and the receiver finds it by its interface", async () => {
    const transaction = await offer(coin);
    expect(transaction.transferKind).toBe("offer");
    const cid = onlyOf(AmuletTransferInstruction, transaction);
    expect(await holdingsOf("alice")).toEqual(
      [...before.alice, "4.0000000000 locked", "6.0000000000"].sort(),
    );
    for (const name of ["alice", "bob"]) {
      const [seen] = (await viewsOf(name, TRANSFER_INSTRUCTION)).filter(
        ({ contractId }) => contractId === cid,
      );
      expect(seen).toMatchObject({
        interfaceId: expect.stringMatching(
          /^[0-9a-f]{64}:Splice\.Api\.Token\.TransferInstructionV1:TransferInstruction$/,
        ),
        view: {
          transfer: {
            ...{ sender: partyOf("alice"), receiver: partyOf("bob"), amount: "4.0000000000" },
            instrumentId: { admin: dso, id: "Amulet" },
            inputHoldingCids: [onlyOf(LockedAmulet, transaction)],
            meta: { values: { "splice.lfdecentralizedtrust.org/reason": "for the pizza" } },
          },
          status: { tag: "TransferPendingReceiverAcceptance", value: {} },
          meta: { values: {} },
        },
      });
    }
    expect(await viewsOf("carol", TRANSFER_INSTRUCTION)).toEqual([]);
    await answer("alice", cid, "TransferInstruction_Withdraw");
  });

  test("is accepted by the receiver, who has the coin; the event says by which interface", async () => {
    const cid = onlyOf(AmuletTransferInstruction, await offer(coin));
    const { updateId } = await answer("bob", cid, "TransferInstruction_Accept");
    expect(await holdingsOf("alice")).toEqual([...before.alice, "6.0000000000"].sort());
    expect(await holdingsOf("bob")).toEqual([...before.bob, "4.0000000000"].sort());
    const everything = { filtersByParty: { [partyOf("bob")]: { cumulative: [] } }, verbose: false };
    const transactionShape = "TRANSACTION_SHAPE_LEDGER_EFFECTS" as const;
    const { transaction } = await participant.as("bob").getTransactionById({
      body: { updateId, transactionFormat: { eventFormat: everything, transactionShape } },
    });
    const [accepted] = transaction.events;
    expect(accepted).toMatchObject({
      ExercisedEvent: {
        choice: "TransferInstruction_Accept",
        contractId: cid,
        consuming: true,
        templateId: AmuletTransferInstruction.id,
        interfaceId: expect.stringContaining("TransferInstructionV1:TransferInstruction"),
        actingParties: [partyOf("bob")],
        exerciseResult: { output: { tag: "TransferInstructionResult_Completed" }, senderChangeCids: [] },
      },
    });
  });

  test.each([
    ["alice", "TransferInstruction_Withdraw"],
    ["bob", "TransferInstruction_Reject"],
  ] as const)("is called off by %s, and the sender has the coin again", async (name, choice) => {
    const cid = onlyOf(AmuletTransferInstruction, await offer(coin));
    const context = await contextOf(choice, cid);
    await answer(name, cid, choice, context);
    expect(await holdingsOf("alice")).toEqual([...before.alice, "4.0000000000", "6.0000000000"].sort());
    expect(await holdingsOf("bob")).toEqual([...before.bob].sort());
    const again = await refusalOf(answer(name, cid, choice, context));
    expect(again).toMatchObject({ status: 404, code: "CONTRACT_NOT_FOUND" });
    expect(await outcomeOf(contextOf(choice, cid))).toEqual({
      status: 404,
      body: { error: `AmuletTransferInstruction '${cid}' not found.` },
    });
  });

  test.each([
    ["alice", "TransferInstruction_Accept", "DAML_AUTHORIZATION_ERROR"],
    ["bob", "TransferInstruction_Withdraw", "DAML_AUTHORIZATION_ERROR"],
    ["carol", "TransferInstruction_Accept", "CONTRACT_NOT_FOUND"],
  ] as const)("is no business of %s by %s", async (name, choice, code) => {
    const cid = onlyOf(AmuletTransferInstruction, await offer(coin));
    expect(await refusalOf(answer(name, cid, choice))).toMatchObject({ code });
    expect(network.list(AmuletTransferInstruction).map(({ contractId }) => contractId)).toContain(cid);
    await answer("alice", cid, "TransferInstruction_Withdraw");
  });

  test("to oneself merges and splits at once", async () => {
    const transaction = await offer(coin, { receiver: partyOf("alice"), amount: "2.5" });
    expect(transaction.transferKind).toBe("self");
    expect(createdIn(transaction)).toHaveLength(2);
    expect(await holdingsOf("alice")).toEqual([...before.alice, "2.5000000000", "7.5000000000"].sort());
  });

  test.each([
    ["an amount of nothing", { amount: "0.0" }, "Amount must be positive"],
    ["no coin", { inputHoldingCids: [] }, "At least one holding must be provided"],
    ["another instrument", { instrumentId: { admin: "x::1220ab", id: "Amulet" } }, "Expected instrumentId"],
    ["a deadline that has passed", { executeBefore: minutesFromNow(-1) }, "Transfer.executeBefore"],
    ["a request from the future", { requestedAt: minutesFromNow(30) }, "Transfer.requestedAt"],
    ["more than there is", { amount: "10.0000000001" }, "you are missing 0.0000000001"],
  ])("of %s is refused, and the coin stays", async (_, given, reason) => {
    const refused = await refusalOf(offer(coin, given));
    expect(refused).toMatchObject({ status: 400, code: "DAML_FAILURE" });
    expect(refused.cause).toContain(reason);
    expect(await holdingsOf("alice")).toEqual([...before.alice, "10.0000000000"].sort());
  });

  test("reaches a receiver with a preapproval at once, and its featured provider is rewarded", async () => {
    const [carol, venue] = [partyOf("carol"), partyOf("venue")];
    const paid = await tap(network, participant.as("venue"), venue, "100.0");
    const use = { actAs: [carol, venue], choice: "AmuletRules_CreateTransferPreapproval" };
    const inputs = [{ tag: "InputAmulet", value: paid }];
    const terms = { receiver: carol, provider: venue, inputs, expiresAt: minutesFromNow(60 * 24 * 30) };
    await useRules(
      network,
      participant.as("settlement"),
      use,
      (_, { context = null, expectedDso = null }, amuletRules) => ({
        ...terms,
        ...{ expectedDso, context: { amuletRules, context } },
      }),
    );
    const feature = { actAs: [venue], choice: "AmuletRules_DevNet_FeatureApp" };
    await useRules(network, participant.as("venue"), feature, () => ({ provider: venue }));
    const transaction = await offer(coin, { receiver: carol });
    expect(transaction.transferKind).toBe("direct");
    expect(await holdingsOf("carol")).toEqual(["4.0000000000"]);
    expect(network.list(TransferPreapproval)).toHaveLength(1);
    expect(network.list(FeaturedAppActivityMarker)).toHaveLength(1);
  });

  test("needs the factory disclosed, and exercised by an interface that it has", async () => {
    const { factoryId: contractId, choiceContext } = await tokens.getAllocationFactory({
      body: { choiceArguments: {} },
    });
    const command = {
      templateId: ALLOCATION,
      contractId,
      choice: "Allocation_Withdraw",
      choiceArgument: { extraArgs: argsWith(choiceContext) },
    };
    const refused = await refusalOf(exercise("alice", command, choiceContext));
    expect(refused).toMatchObject({ status: 400, code: "CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE" });
    const fetched = {
      templateId: TRANSFER_FACTORY,
      contractId,
      choice: "TransferFactory_PublicFetch",
      choiceArgument: { expectedAdmin: dso, actor: partyOf("alice") },
    };
    const undisclosed = await refusalOf(exercise("alice", fetched, NO_CONTEXT));
    expect(undisclosed).toMatchObject({ status: 404, code: "CONTRACT_NOT_FOUND" });
  });
});

describe("an allocation of the token standard", () => {
  async function allocate(coin: string): Promise<string> {
    const settlement = {
      executor: partyOf("venue"),
      settlementRef: { id: "trade-1", cid: null },
      requestedAt: minutesFromNow(-1),
      allocateBefore: minutesFromNow(30),
      settleBefore: minutesFromNow(60),
      meta: { values: {} },
    };
    const transferLeg = {
      ...{ sender: partyOf("alice"), receiver: partyOf("bob"), amount: "3.0" },
      instrumentId: { admin: dso, id: "Amulet" },
      meta: { values: {} },
    };
    const empty = {
      expectedAdmin: dso,
      allocation: { settlement, transferLegId: "leg0", transferLeg },
      requestedAt: minutesFromNow(-1),
      inputHoldingCids: [coin],
      extraArgs: argsWith(NO_CONTEXT),
    };
    const { factoryId, choiceContext } = await tokens.getAllocationFactory({
      body: { choiceArguments: empty },
    });
    const command = {
      templateId: ALLOCATION_FACTORY,
      contractId: factoryId,
      choice: "AllocationFactory_Allocate",
      choiceArgument: { ...empty, extraArgs: argsWith(choiceContext) },
    };
    return onlyOf(AmuletAllocation, await exercise("alice", command, choiceContext));
  }

  type SettlingChoice = "Allocation_ExecuteTransfer" | "Allocation_Cancel" | "Allocation_Withdraw";

  function contextFor(choice: SettlingChoice, allocationId: string): Promise<ChoiceContext> {
    const asked = { params: { allocationId } };
    switch (choice) {
      case "Allocation_ExecuteTransfer":
        return tokens.getAllocationTransferContext(asked);
      case "Allocation_Cancel":
        return tokens.getAllocationCancelContext(asked);
      case "Allocation_Withdraw":
        return tokens.getAllocationWithdrawContext(asked);
    }
  }

  async function settle(
    contractId: string,
    choice: SettlingChoice,
    actAs: readonly string[],
    known?: ChoiceContext,
  ) {
    const context = known ?? (await contextFor(choice, contractId));
    const choiceArgument = { extraArgs: argsWith(context) };
    const command = { templateId: ALLOCATION, contractId, choice, choiceArgument };
    return exercise("settlement", command, context, actAs.map(partyOf));
  }

  const EVERYBODY = ["alice", "bob", "venue"];
  let coin: string;
  let before: readonly string[];

  beforeEach(async () => {
    before = await holdingsOf("bob");
    coin = await tap(network, participant.as("alice"), partyOf("alice"), "10.0");
  });

  test("is found by its executor, by its interface, and not by the receiver", async () => {
    const cid = await allocate(coin);
    const [seen] = (await viewsOf("venue", ALLOCATION)).filter(({ contractId }) => contractId === cid);
    expect(seen?.view).toMatchObject({
      allocation: { transferLegId: "leg0", transferLeg: { amount: "3.0000000000" } },
      holdingCids: [expect.stringMatching(/^00[0-9a-f]+$/)],
    });
    expect((await viewsOf("bob", ALLOCATION)).map(({ contractId }) => contractId)).not.toContain(cid);
    await settle(cid, "Allocation_Withdraw", ["alice"]);
  });

  test("is settled by all three together, and by no two of them", async () => {
    const cid = await allocate(coin);
    for (const missing of EVERYBODY) {
      const others = EVERYBODY.filter((name) => name !== missing);
      const refused = await refusalOf(settle(cid, "Allocation_ExecuteTransfer", others));
      expect(refused, missing).toMatchObject({ status: 400, code: "DAML_AUTHORIZATION_ERROR" });
    }
    expect(await holdingsOf("bob")).toEqual(before);
    await settle(cid, "Allocation_ExecuteTransfer", EVERYBODY);
    expect(await holdingsOf("bob")).toEqual([...before, "3.0000000000"].sort());
  });

  test.each([
    ["Allocation_Cancel", EVERYBODY],
    ["Allocation_Withdraw", ["alice"]],
  ] as const)("comes back by %s, and cannot be settled any more", async (choice, actAs) => {
    const cid = await allocate(coin);
    const free = await holdingsOf("alice");
    const execution = await contextFor("Allocation_ExecuteTransfer", cid);
    await settle(cid, choice, actAs);
    const unlocked = free.map((holding) => (holding === "3.0000000000 locked" ? "3.0000000000" : holding));
    expect(await holdingsOf("alice")).toEqual(unlocked.sort());
    const refused = await refusalOf(settle(cid, "Allocation_ExecuteTransfer", EVERYBODY, execution));
    expect(refused).toMatchObject({ status: 404, code: "CONTRACT_NOT_FOUND" });
    expect(await outcomeOf(contextFor(choice, cid))).toEqual({
      status: 404,
      body: { error: `AmuletAllocation '${cid}' not found.` },
    });
    expect(await holdingsOf("bob")).toEqual(before);
  });
});
