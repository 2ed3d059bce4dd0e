/** Packages, their vetting, interactive submission, moves between synchronizers: examples of each operation. */
import { submission } from "./ledger-submission.ts";
import { alice, contractId, synchronizer, transaction } from "./samples.ts";

const packageId = "c".repeat(64);
const participantId = "app-user::1220aa";
const byPackage = { params: { "package-id": packageId } };
const upload = {
  request: { query: { vetAllPackages: false, synchronizerId: "" } },
  response: {},
} as const;

export const packageExamples = {
  getPackage: { request: byPackage, response: undefined },
  uploadPackage: upload,
  uploadDar: upload,
  validateDar: {
    request: { query: { synchronizerId: synchronizer } },
    response: undefined,
  },
} as const;

const vettedPackages = {
  packages: [
    {
      packageId,
      validFromInclusive: null,
      validUntilExclusive: null,
      packageName: "splice-amulet",
      packageVersion: "0.1.18",
    },
  ],
  participantId,
  synchronizerId: synchronizer,
  topologySerial: 1,
};
const listing = {
  response: { vettedPackages: [vettedPackages], nextPageToken: "" },
  received: {
    body: {
      packageMetadataFilter: { packageIds: [], packageNamePrefixes: ["splice"] },
      topologyStateFilter: null,
      pageToken: "",
      pageSize: 0,
    },
  },
};
const reference = { packageId, packageName: "", packageVersion: "" };
const updating = {
  request: {
    body: { changes: [{ operation: { Vet: { value: { packages: [{ packageId }] } } } }], dryRun: true },
  },
  received: {
    body: {
      changes: [
        {
          operation: {
            Vet: {
              value: { packages: [reference], newValidFromInclusive: null, newValidUntilExclusive: null },
            },
          },
        },
      ],
      dryRun: true,
      synchronizerId: "",
      expectedTopologySerial: null,
      updateVettedPackagesForceFlags: [],
    },
  },
  response: { pastVettedPackages: vettedPackages, newVettedPackages: vettedPackages },
};

export const vettingExamples = {
  listVettedPackages: {
    ...listing,
    request: { body: { packageMetadataFilter: { packageNamePrefixes: ["splice"] } } },
  },
  // The platform's own fetch sends no body with a GET.
  listVettedPackagesByGet: {
    ...listing,
    received: {
      body: { packageMetadataFilter: null, topologyStateFilter: null, pageToken: "", pageSize: 0 },
    },
  },
  updateVettedPackages: updating,
  updateVettedPackagesByPost: updating,
};

const { commands, commandId, actAs, disclosedContracts } = submission.received;
const execution = {
  preparedTransaction: "CgMyLjE=",
  partySignatures: {
    signatures: [
      {
        party: alice,
        signatures: [
          {
            format: "SIGNATURE_FORMAT_CONCAT",
            signature: "AAAA",
            signedBy: "1220aa",
            signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
          },
        ],
      },
    ],
  },
  deduplicationPeriod: { Empty: {} },
  submissionId: "s-1",
  hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2" as const,
};
const executing = {
  request: { body: execution },
  received: { body: { ...execution, userId: "", minLedgerTime: null } },
};
const packageReference = { packageId, packageName: "splice-amulet", packageVersion: "0.1.18" };

export const interactiveExamples = {
  prepareSubmission: {
    request: {
      body: {
        commandId,
        commands,
        actAs,
        disclosedContracts,
        synchronizerId: "",
        packageIdSelectionPreference: [],
      },
    },
    received: {
      body: {
        userId: "",
        commandId,
        commands,
        minLedgerTime: null,
        actAs,
        readAs: [],
        disclosedContracts,
        synchronizerId: "",
        packageIdSelectionPreference: [],
        verboseHashing: false,
        prefetchContractKeys: [],
        maxRecordTime: null,
        estimateTrafficCost: null,
        tapsMaxPasses: null,
        hashingSchemeVersion: null,
      },
    },
    response: {
      preparedTransaction: "CgMyLjE=",
      preparedTransactionHash: "AAAA",
      hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2" as const,
      hashingDetails: null,
      costEstimation: null,
    },
  },
  executeSubmission: { ...executing, response: {} },
  executeSubmissionAndWait: { ...executing, response: { updateId: "1220bb", completionOffset: 4 } },
  executeSubmissionAndWaitForTransaction: {
    request: { body: execution },
    received: { body: { ...execution, userId: "", minLedgerTime: null, transactionFormat: null } },
    response: { transaction },
  },
  getPreferredPackageVersion: {
    request: { query: { parties: [alice], "package-name": "splice-amulet" } },
    received: {
      query: {
        parties: [alice],
        "package-name": "splice-amulet",
        vetting_valid_at: null,
        "synchronizer-id": "",
      },
    },
    response: { packagePreference: { packageReference, synchronizerId: synchronizer } },
  },
  getPreferredPackages: {
    request: {
      body: { packageVettingRequirements: [{ parties: [alice], packageName: "splice-amulet" }] },
    },
    received: {
      body: {
        packageVettingRequirements: [{ parties: [alice], packageName: "splice-amulet" }],
        synchronizerId: "",
        vettingValidAt: null,
      },
    },
    response: { packageReferences: [packageReference], synchronizerId: synchronizer },
  },
};

const ends = { source: synchronizer, target: "other::1220cc" };
const reassignmentCommands = {
  commandId: "move-1",
  submitter: alice,
  commands: [{ command: { UnassignCommand: { value: { contractId: contractId("1"), ...ends } } } }],
};
const received = { ...reassignmentCommands, workflowId: "", userId: "", submissionId: "" };

export const submittingExamples = {
  submitAsync: {
    request: { body: submission.sent },
    received: { body: submission.received },
    response: {},
  },
  submitAndWaitForReassignment: {
    request: { body: { reassignmentCommands } },
    received: { body: { reassignmentCommands: received, eventFormat: null } },
    response: {
      reassignment: {
        updateId: "1220bb",
        commandId: "move-1",
        workflowId: "",
        offset: 5,
        events: [
          {
            JsUnassignedEvent: {
              value: {
                ...ends,
                reassignmentId: "r-1",
                submitter: alice,
                reassignmentCounter: 1,
                contractId: contractId("1"),
                templateId: `${packageId}:Splice.Amulet:Amulet`,
                assignmentExclusivity: null,
                witnessParties: [alice],
                packageName: "splice-amulet",
                offset: 5,
                nodeId: 0,
              },
            },
          },
        ],
        traceContext: null,
        recordTime: "2026-01-31T12:00:00Z",
        synchronizerId: synchronizer,
        paidTrafficCost: null,
      },
    },
  },
  submitReassignment: {
    request: { body: { reassignmentCommands } },
    received: { body: { reassignmentCommands: received } },
    response: {},
  },
};
