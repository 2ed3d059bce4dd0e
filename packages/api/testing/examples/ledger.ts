import type { ledgerApi } from "../../src/index.ts";
import type { Examples } from "../example.ts";
import { externalPartyExamples } from "./external-parties.ts";
import { identityProviderExamples } from "./identity-providers.ts";
import {
  interactiveExamples,
  packageExamples,
  submittingExamples,
  vettingExamples,
} from "./ledger-packages.ts";
import { readExamples } from "./ledger-reads.ts";
import { submission } from "./ledger-submission.ts";
import { alice, archivedEvent, contractId, createdEvent, dso, synchronizer, transaction } from "./samples.ts";
import { userExamples } from "./users.ts";

const metadata = { resourceVersion: "0", annotations: { "example.com/colour": "green" } };
const partyDetails = { party: alice, isLocal: true, localMetadata: metadata, identityProviderId: "" };
const wildcard = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } };
const eventFormat = {
  filtersByParty: { [alice]: { cumulative: [wildcard] } },
  filtersForAnyParty: null,
  verbose: false,
};
const noList = { limit: null, stream_idle_timeout_ms: null };

export const ledgerExamples: Examples<typeof ledgerApi> = {
  ...packageExamples,
  ...vettingExamples,
  ...interactiveExamples,
  ...submittingExamples,
  ...readExamples,
  getVersion: {
    response: {
      version: "3.5.0",
      features: {
        experimental: {
          staticTime: { supported: false },
          commandInspectionService: { supported: false },
        },
        userManagement: { supported: true, maxRightsPerUser: 20_000, maxUsersPageSize: 1000 },
        partyManagement: { maxPartiesPageSize: 10_000 },
        offsetCheckpoint: {
          maxOffsetCheckpointEmissionDelay: { seconds: 75, nanos: 0, unknownFields: { fields: {} } },
        },
        packageFeature: { maxVettedPackagesPageSize: 100 },
      },
    },
  },
  isLive: { response: undefined },
  isReady: {
    response: "[+] ledger ok (SERVING)\nreadyz check passed\n",
  },
  listParties: {
    request: { query: { "filter-party": "al", pageSize: 10 } },
    received: { query: { "identity-provider-id": "", "filter-party": "al", pageSize: 10, pageToken: "" } },
    response: { partyDetails: [partyDetails], nextPageToken: "" },
  },
  allocateParty: {
    request: { body: { partyIdHint: "alice" } },
    received: {
      body: {
        partyIdHint: "alice",
        localMetadata: null,
        identityProviderId: "",
        synchronizerId: "",
        userId: "",
      },
    },
    response: { partyDetails },
  },
  getParticipantId: {
    response: { participantId: `participant1::${alice.split("::")[1]}` },
  },
  getParties: {
    request: { params: { party: alice }, query: { parties: [dso, alice] } },
    received: { query: { "identity-provider-id": "", parties: [dso, alice] } },
    response: { partyDetails: [partyDetails] },
  },
  updatePartyDetails: {
    request: {
      params: { party: alice },
      body: {
        partyDetails: { party: alice, localMetadata: { annotations: { "example.com/colour": "" } } },
        updateMask: { paths: ["local_metadata.annotations"], unknownFields: { fields: {} } },
      },
    },
    received: {
      body: {
        partyDetails: {
          party: alice,
          isLocal: false,
          localMetadata: { resourceVersion: "", annotations: { "example.com/colour": "" } },
          identityProviderId: "",
        },
        updateMask: { paths: ["local_metadata.annotations"], unknownFields: { fields: {} } },
      },
    },
    response: { partyDetails },
  },
  ...userExamples,
  ...externalPartyExamples,
  ...identityProviderExamples,
  submitAndWait: {
    request: { body: submission.sent },
    received: { body: submission.received },
    response: { updateId: transaction.updateId, completionOffset: 9 },
  },
  submitAndWaitForTransaction: {
    request: {
      body: {
        commands: submission.sent,
        transactionFormat: { eventFormat: {}, transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS" },
      },
    },
    received: {
      body: {
        commands: submission.received,
        transactionFormat: {
          eventFormat: { filtersByParty: {}, filtersForAnyParty: null, verbose: false },
          transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS",
        },
      },
    },
    response: { transaction },
  },
  listCompletions: {
    request: { query: { limit: 100n }, body: { userId: "app-user", parties: [alice], beginExclusive: 8 } },
    received: { query: { ...noList, limit: 100n } },
    response: [
      {
        completionResponse: {
          Completion: {
            value: {
              commandId: "command-1",
              status: { code: 0, message: "", details: [] },
              updateId: transaction.updateId,
              userId: "app-user",
              actAs: [alice],
              submissionId: "5b0c2f0e",
              deduplicationPeriod: { Empty: {} },
              traceContext: null,
              offset: 9,
              synchronizerTime: { synchronizerId: synchronizer, recordTime: "2025-01-23T12:48:21.500123Z" },
              paidTrafficCost: 0,
            },
          },
        },
      },
      { completionResponse: { OffsetCheckpoint: { value: { offset: 9, synchronizerTimes: [] } } } },
    ],
  },
  listPackages: { response: { packageIds: ["a".repeat(64)] } },
  getPackageStatus: {
    request: { params: { "package-id": "a".repeat(64) } },
    response: { packageStatus: "PACKAGE_STATUS_REGISTERED" },
  },
  getLatestPrunedOffsets: {
    response: { participantPrunedUpToInclusive: 0, allDivulgedContractsPrunedUpToInclusive: 0 },
  },
  listConnectedSynchronizers: {
    request: { query: { party: alice } },
    received: { query: { party: alice, participantId: "", identityProviderId: "" } },
    response: {
      connectedSynchronizers: [
        {
          synchronizerAlias: "global",
          synchronizerId: synchronizer,
          permission: "PARTICIPANT_PERMISSION_SUBMISSION",
        },
      ],
    },
  },
  getLedgerEnd: { response: { offset: 9 } },
  listActiveContracts: {
    request: { query: { limit: 50n }, body: { activeAtOffset: 9, eventFormat } },
    received: {
      query: { ...noList, limit: 50n },
      body: { filter: null, verbose: false, activeAtOffset: 9, eventFormat, streamContinuationToken: null },
    },
    response: [
      {
        workflowId: "",
        contractEntry: {
          JsActiveContract: { createdEvent, synchronizerId: synchronizer, reassignmentCounter: 0 },
        },
        streamContinuationToken: "",
      },
    ],
  },
  listUpdates: {
    request: {
      query: { stream_idle_timeout_ms: 1000n },
      body: {
        beginExclusive: 7,
        updateFormat: {
          includeTransactions: { eventFormat, transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" },
        },
      },
    },
    received: {
      query: { ...noList, stream_idle_timeout_ms: 1000n },
      body: {
        beginExclusive: 7,
        endInclusive: null,
        filter: null,
        verbose: false,
        updateFormat: {
          includeTransactions: { eventFormat, transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" },
          includeReassignments: null,
          includeTopologyEvents: null,
        },
        descendingOrder: false,
      },
    },
    response: [
      { update: { Transaction: { value: transaction } } },
      {
        update: {
          OffsetCheckpoint: {
            value: {
              offset: 9,
              synchronizerTimes: [
                { synchronizerId: synchronizer, recordTime: "2025-01-23T12:48:21.500123Z" },
              ],
            },
          },
        },
      },
    ],
  },
  getEventsByContractId: {
    request: {
      body: {
        contractId: contractId("3"),
        eventFormat: { filtersForAnyParty: { cumulative: [{ identifierFilter: { Empty: {} } }, {}] } },
      },
    },
    received: {
      body: {
        contractId: contractId("3"),
        eventFormat: {
          filtersByParty: {},
          filtersForAnyParty: {
            cumulative: [{ identifierFilter: { Empty: {} } }, { identifierFilter: { Empty: {} } }],
          },
          verbose: false,
        },
      },
    },
    response: {
      created: { createdEvent, synchronizerId: synchronizer },
      archived: { archivedEvent, synchronizerId: synchronizer },
    },
  },
};
