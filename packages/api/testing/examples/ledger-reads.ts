/** Examples of what looks updates, contracts and completions up. */

import type { ledgerApi } from "../../src/index.ts";
import type { Examples } from "../example.ts";
import { submission } from "./ledger-submission.ts";
import { alice, contractId, createdEvent, synchronizer, transaction } from "./samples.ts";

const eventFormat = {
  filtersByParty: { [alice]: { cumulative: [] } },
  filtersForAnyParty: null,
  verbose: false,
};
const transactionFormat = { eventFormat, transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS" as const };
const sentFormat = { includeTransactions: transactionFormat };
const updateFormat = { ...sentFormat, includeReassignments: null, includeTopologyEvents: null };
const noList = { limit: null, stream_idle_timeout_ms: null };
const { updateId, commandId, workflowId, effectiveAt, offset, traceContext, recordTime } = transaction;
const exercisedEvent = {
  offset,
  nodeId: 1,
  contractId: contractId("3"),
  templateId: createdEvent.templateId,
  interfaceId: null,
  choice: "AnsEntry_Expire",
  choiceArgument: { actor: alice },
  actingParties: [alice],
  consuming: true,
  witnessParties: [alice],
  lastDescendantNodeId: 1,
  exerciseResult: {},
  packageName: "splice-amulet-name-service",
  implementedInterfaces: [],
  acsDelta: true,
};
const tree = {
  ...{ updateId, commandId, workflowId, effectiveAt, offset, traceContext, recordTime },
  eventsById: {
    "0": { CreatedTreeEvent: { value: createdEvent } },
    "1": { ExercisedTreeEvent: { value: exercisedEvent } },
  },
  synchronizerId: synchronizer,
};
const update = { update: { Transaction: { value: transaction } } };
const older = {
  sent: { beginExclusive: 7, filter: { filtersByParty: { [alice]: {} } }, verbose: true },
  received: {
    beginExclusive: 7,
    endInclusive: null,
    filter: { filtersByParty: { [alice]: { cumulative: [] } }, filtersForAnyParty: null },
    verbose: true,
    updateFormat: null,
    descendingOrder: false,
  },
};
const activePage = {
  response: {
    activeContracts: [
      {
        workflowId: "",
        contractEntry: {
          JsActiveContract: { createdEvent, synchronizerId: synchronizer, reassignmentCounter: 0 },
        },
        streamContinuationToken: "",
      },
    ],
    activeAtOffset: 9,
    nextPageToken: "CgMyLjE=",
  },
};

export const readExamples = {
  listCompletionsOfParties: {
    request: { body: { parties: [alice] } },
    received: { query: noList, body: { parties: [alice], beginExclusive: 0 } },
    response: [{ completionResponse: { OffsetCheckpoint: { value: { offset: 9, synchronizerTimes: [] } } } }],
  },
  getActiveContractsPage: {
    ...activePage,
    request: { body: { eventFormat, maxPageSize: 1 } },
    received: { body: { activeAtOffset: null, eventFormat, maxPageSize: 1, pageToken: null } },
  },
  // Browsers' requests, which our client makes, have no body in a GET.
  getActiveContractsPageByGet: {
    ...activePage,
    received: { body: { activeAtOffset: null, eventFormat: null, maxPageSize: null, pageToken: null } },
  },
  getContract: {
    request: { body: { contractId: contractId("3") } },
    received: { body: { contractId: contractId("3"), queryingParties: [] } },
    response: { createdEvent },
  },
  listFlatUpdates: {
    request: { body: older.sent },
    received: { query: noList, body: older.received },
    response: [update],
  },
  listTransactionTrees: {
    request: { body: older.sent },
    received: { query: noList, body: older.received },
    response: [{ update: { TransactionTree: { value: tree } } }],
  },
  getUpdatesPage: {
    request: { body: { updateFormat: sentFormat, pageToken: "CgMyLjE=" } },
    received: {
      body: {
        beginOffsetExclusive: null,
        endOffsetInclusive: null,
        maxPageSize: null,
        updateFormat,
        descendingOrder: false,
        pageToken: "CgMyLjE=",
      },
    },
    response: {
      updates: [update],
      lowestPageOffsetExclusive: 0,
      highestPageOffsetInclusive: 9,
      nextPageToken: null,
    },
  },
  getUpdateById: {
    request: { body: { updateId, updateFormat: sentFormat } },
    received: { body: { updateId, updateFormat } },
    response: update,
  },
  getUpdateByOffset: {
    request: { body: { offset: 9, updateFormat: sentFormat } },
    received: { body: { offset: 9, updateFormat } },
    response: update,
  },
  getTransactionById: {
    request: { body: { updateId, requestingParties: [alice] } },
    received: { body: { updateId, requestingParties: [alice], transactionFormat: null } },
    response: { transaction },
  },
  getTransactionByOffset: {
    request: { body: { offset: 9, transactionFormat } },
    received: { body: { offset: 9, requestingParties: [], transactionFormat } },
    response: { transaction },
  },
  getTransactionTreeById: {
    request: { params: { "update-id": updateId }, query: { parties: [alice] } },
    response: { transaction: tree },
  },
  getTransactionTreeByOffset: {
    request: { params: { offset: "9" }, query: { parties: [alice] } },
    received: { params: { offset: 9n } },
    response: { transaction: tree },
  },
  submitAndWaitForTransactionTree: {
    request: { body: submission.sent },
    received: { body: submission.received },
    response: { transactionTree: tree },
  },
} satisfies Partial<Examples<typeof ledgerApi>>;
