/** EventQueryServiceIT: the create and the archive of one contract, and what of the request is refused. */
import { beforeAll, describe, expect, test } from "vitest";
import { RenewalPreference } from "../../packages/ledger/src/index.ts";
import { call } from "../participant/call.ts";
import { AMULET, HOLDING } from "../participant/coins.ts";
import {
  archive,
  create,
  createdIn,
  DUMMY,
  formatFor,
  type IdentifierFilter,
  listActive,
  newParty,
  submit,
  templateFilter,
  transientDummy,
} from "./dummies.ts";
import { expectFailure, failureIn } from "./failure.ts";
import { ledgerOfFile, OPEN } from "./ledger.ts";

const ledger = ledgerOfFile(OPEN);
const NOWHERE = `${"00".repeat(32)}0001`;
const notFound = "Contract events not found, or not visible";
let party: string;
let other: string;
beforeAll(async () => {
  party = await newParty(ledger);
  other = await newParty(ledger);
});

function eventsOf(contractId: string, eventFormat: object | null) {
  return ledger.open.getEventsByContractId({ body: { contractId, eventFormat } as never });
}

describe("EventQueryServiceIT", () => {
  test("TXEventsByContractIdBasic: the create is the one among the active contracts", async () => {
    const { contractId } = await create(ledger, party);
    const { created, archived } = await eventsOf(contractId, formatFor([party]));
    const active = (await listActive(ledger, formatFor([party]))).find(
      (each) => each.contractId === contractId,
    );
    expect(active).toBeDefined();
    expect(created?.createdEvent).toEqual(active);
    expect(archived).toBeNull();
  });

  test("TXEventsByContractIdConsumed: the archive is the one in the transaction that consumed it", async () => {
    const { contractId } = await create(ledger, party);
    const { events } = await archive(ledger, party, contractId);
    const { created, archived } = await eventsOf(contractId, formatFor([party]));
    expect(created?.createdEvent.contractId).toBe(contractId);
    expect(events).toEqual([{ ArchivedEvent: archived?.archivedEvent }]);
    expect(archived?.synchronizerId).toBe(created?.synchronizerId);
  });

  test("TXEventsByContractIdNotExistent", async () => {
    const failure = await expectFailure(
      eventsOf(NOWHERE, formatFor([party])),
      "CONTRACT_EVENTS_NOT_FOUND",
      notFound,
    );
    expect(failure.status).toBe(404);
    expect(failure.context["definite_answer"]).toBe("false");
    expect(failure.resources).toEqual([["CONTRACT_ID", NOWHERE]]);
  });

  test("TXEventsByContractIdNotVisible: a party that is not a stakeholder sees no events", async () => {
    const { contractId } = await create(ledger, party);
    await expectFailure(eventsOf(contractId, formatFor([other])), "CONTRACT_EVENTS_NOT_FOUND", notFound);
  });

  test("TXEventsByContractIdFilterCombinations", async () => {
    const { contractId } = await create(ledger, party, other);
    const wildcard: IdentifierFilter = { WildcardFilter: { value: { includeCreatedEventBlob: false } } };
    const any = await eventsOf(contractId, formatFor([], wildcard));
    expect(any.archived).toBeNull();
    expect(any.created?.createdEvent.witnessParties).toEqual([party, other]);
    const [active] = (await listActive(ledger, formatFor([], wildcard))).filter(
      (each) => each.contractId === contractId,
    );
    expect(any.created?.createdEvent).toEqual(active);

    const own = await eventsOf(contractId, formatFor([party], templateFilter(DUMMY)));
    expect(own.created?.createdEvent).toMatchObject({ contractId, witnessParties: [party] });
    const observers = await eventsOf(contractId, formatFor([other], templateFilter(DUMMY)));
    expect(observers.created?.createdEvent.witnessParties).toEqual([other]);

    const stranger = await newParty(ledger);
    for (const format of [
      formatFor([stranger], templateFilter(DUMMY)),
      formatFor([party], templateFilter(AMULET)),
      formatFor([], templateFilter(AMULET)),
    ]) {
      await expectFailure(eventsOf(contractId, format), "CONTRACT_EVENTS_NOT_FOUND", notFound);
    }
  });

  test("TXEventsByContractIdTransient: both events, by party and by any party", async () => {
    const effects = {
      eventFormat: formatFor([party]),
      transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS" as const,
    };
    const { contractId } = createdIn(await submit(ledger, party, transientDummy(party), effects));
    for (const format of [formatFor([party]), formatFor([])]) {
      const { created, archived } = await eventsOf(contractId, format);
      expect(created?.createdEvent).toMatchObject({ contractId, acsDelta: false });
      expect(archived?.archivedEvent).toMatchObject({ contractId, offset: created?.createdEvent.offset });
      expect(archived?.archivedEvent.witnessParties).toEqual(created?.createdEvent.witnessParties);
    }
  });
});

describe("a filter", () => {
  test("that is empty, or has only empty entries, takes everything, without blobs", async () => {
    const { contractId } = await create(ledger, party);
    const wanted = (await eventsOf(contractId, formatFor([party]))).created?.createdEvent;
    expect(wanted?.createdEventBlob).toBe("");
    for (const filters of [
      {},
      { cumulative: [] },
      { cumulative: [{}, { identifierFilter: { Empty: {} } }] },
    ]) {
      const { created } = await eventsOf(contractId, { filtersByParty: { [party]: filters } });
      expect(created?.createdEvent).toEqual(wanted);
    }
  });

  test("adds blobs where one that matches asks for them", async () => {
    const { contractId } = await create(ledger, party);
    const blobOf = async (...filters: IdentifierFilter[]) =>
      (await eventsOf(contractId, formatFor([party], ...filters))).created?.createdEvent.createdEventBlob;
    const wildcard = (includeCreatedEventBlob: boolean): IdentifierFilter => ({
      WildcardFilter: { value: { includeCreatedEventBlob } },
    });
    const blob = await blobOf(wildcard(false), wildcard(true));
    expect(Buffer.from(blob ?? "", "base64").toString()).toContain(contractId);
    expect(await blobOf(templateFilter(DUMMY, true))).toBe(blob);
    // Asked for with another template: not for this contract.
    expect(await blobOf(wildcard(false), templateFilter(AMULET, true))).toBe("");
  });

  test("for any party adds to the filters of parties, and names all stakeholders", async () => {
    const { contractId } = await create(ledger, party, other);
    const format = {
      filtersByParty: { [party]: { cumulative: [{ identifierFilter: templateFilter(AMULET) }] } },
      filtersForAnyParty: { cumulative: [{ identifierFilter: templateFilter(DUMMY) }] },
    };
    const { created } = await eventsOf(contractId, format);
    expect(created?.createdEvent.witnessParties).toEqual([party, other]);
  });

  const refusals: [object | null, number, string, string][] = [
    [null, 400, "MISSING_FIELD", "event_format"],
    [{}, 400, "INVALID_ARGUMENT", "filtersByParty and filtersForAnyParty cannot be empty simultaneously"],
    [{ filtersByParty: { "not@party": {} } }, 400, "INVALID_ARGUMENT", "non expected character"],
    [{ filtersByParty: { "": {} } }, 400, "INVALID_ARGUMENT", "Daml-LF Party is empty"],
    [formatFor(["p"], templateFilter("")), 400, "MISSING_FIELD", "template"],
    [
      formatFor(["p"], {
        InterfaceFilter: {
          value: { interfaceId: "", includeInterfaceView: false, includeCreatedEventBlob: false },
        },
      }),
      400,
      "MISSING_FIELD",
      "interface",
    ],
    [
      formatFor(["p"], templateFilter(RenewalPreference.id)),
      400,
      "INVALID_FIELD",
      `Invalid field packageId: Received an identifier with package ID ${RenewalPreference.package.id}, but expected a package name.`,
    ],
    [formatFor(["p"], templateFilter("#nothing:M:E")), 404, "PACKAGE_NAMES_NOT_FOUND", "nothing"],
    [
      formatFor(["p"], templateFilter("#splice-amulet:Splice.Amulet:Nothing")),
      404,
      "NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME",
      "Nothing",
    ],
    [
      formatFor(["p"], templateFilter(HOLDING)),
      404,
      "NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME",
      "Holding",
    ],
    [
      formatFor(["p"], {
        InterfaceFilter: {
          value: { interfaceId: AMULET, includeInterfaceView: false, includeCreatedEventBlob: false },
        },
      }),
      404,
      "NO_INTERFACE_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME",
      "Amulet",
    ],
  ];
  test.each(refusals)("%j is refused", async (format, status, code, words) => {
    const failure = await expectFailure(eventsOf(NOWHERE, format), code, words);
    expect(failure.status).toBe(status);
    if (code === "MISSING_FIELD") expect(failure.context["field_name"]).toContain(words);
  });

  test("whose template has no three parts is refused before it is read", async () => {
    const body = { contractId: NOWHERE, eventFormat: formatFor(["p"], templateFilter("a:b")) };
    const url = `${ledger.participant.url}/v2/events/events-by-contract-id`;
    const failure = failureIn(await call(url, { body }));
    expect(failure).toMatchObject({ status: 400, code: "INVALID_ARGUMENT" });
    expect(failure.cause).toContain(
      "Invalid identifier format (a:b) not matching the expected format (<package>:<moduleName>:<entityName>)",
    );
  });
});

describe("the contract's id", () => {
  test.each([
    ["", "MISSING_FIELD", "contract_id"],
    ["xyz", "INVALID_FIELD", 'Invalid field contract_id: cannot parse ContractId "xyz"'],
    [NOWHERE.replace("00", "FF"), "INVALID_FIELD", "contract_id"],
  ])("%j is refused", async (contractId, code, words) => {
    const failure = await expectFailure(eventsOf(contractId, formatFor(["p"])), code, words);
    expect(failure.status).toBe(400);
  });
});

test("the events have their keys in the wire's order, and null for absent values", async () => {
  const { contractId } = await create(ledger, party, other);
  await archive(ledger, party, contractId);
  const url = `${ledger.participant.url}/v2/events/events-by-contract-id`;
  const answer = await call(url, { body: { contractId, eventFormat: formatFor([party]) } });
  const { created, archived } = answer.json as Record<string, Record<string, Record<string, unknown>>>;
  expect(Object.keys(answer.json as object)).toEqual(["created", "archived"]);
  expect(Object.keys(created?.["createdEvent"] ?? {})).toEqual([
    ...["offset", "nodeId", "contractId", "templateId", "contractKey", "contractKeyHash", "createArgument"],
    ...["createdEventBlob", "interfaceViews", "witnessParties", "signatories", "observers", "createdAt"],
    ...["packageName", "representativePackageId", "acsDelta"],
  ]);
  expect(Object.keys(archived?.["archivedEvent"] ?? {})).toEqual([
    ...["offset", "nodeId", "contractId", "templateId", "witnessParties", "packageName"],
    "implementedInterfaces",
  ]);
  expect(created?.["createdEvent"]).toMatchObject({
    templateId: RenewalPreference.id,
    contractKey: null,
    contractKeyHash: "",
    createdEventBlob: "",
    interfaceViews: [],
    signatories: [party],
    observers: [other],
    packageName: RenewalPreference.package.name,
    representativePackageId: RenewalPreference.package.id,
    acsDelta: true,
  });
  expect(created?.["createdEvent"]?.["createdAt"]).toMatch(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?Z$/,
  );
  const still = await call(url, {
    body: { contractId: (await create(ledger, party)).contractId, eventFormat: formatFor([party]) },
  });
  expect(still.text).toMatch(/,"archived":null\}$/);
});
