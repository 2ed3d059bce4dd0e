import { alice, contractId, dso, synchronizer } from "./samples.ts";

const commands = [
  {
    ExerciseCommand: {
      templateId: "#splice-amulet-name-service:Splice.Ans:AnsRules",
      contractId: contractId("1"),
      choice: "AnsRules_RequestEntry",
      choiceArgument: { name: "alice.unverified.cns", url: "", description: "", user: alice },
    },
  },
  {
    CreateCommand: {
      templateId: "#callsign-names:Callsign.Names:RenewalPreference",
      createArguments: { subscriber: alice, provider: dso, enabled: false },
    },
  },
];

/** A name is asked for, with the rules disclosed. */
export const submission = {
  sent: {
    commands,
    commandId: "create-1",
    actAs: [alice],
    deduplicationPeriod: { DeduplicationDuration: { value: { seconds: 3600 } } },
    disclosedContracts: [
      { contractId: contractId("1"), createdEventBlob: "CgMyLjE=", synchronizerId: synchronizer },
    ],
  },
  received: {
    commands,
    commandId: "create-1",
    actAs: [alice],
    userId: null,
    readAs: [],
    workflowId: null,
    deduplicationPeriod: {
      DeduplicationDuration: { value: { seconds: 3600, nanos: 0, unknownFields: { fields: {} } } },
    },
    minLedgerTimeAbs: null,
    minLedgerTimeRel: null,
    submissionId: null,
    disclosedContracts: [
      {
        templateId: "",
        contractId: contractId("1"),
        createdEventBlob: "CgMyLjE=",
        synchronizerId: synchronizer,
      },
    ],
    synchronizerId: null,
    packageIdSelectionPreference: [],
    prefetchContractKeys: [],
    tapsMaxPasses: null,
  },
};
