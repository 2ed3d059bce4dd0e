/** Values that examples share. Shapes and spellings are those of the real network. */

const fingerprint = `1220${"ab".repeat(32)}`;
export const packageId = "c1".repeat(32);

export const alice = `alice::${fingerprint}`;
export const bob = `bob::${fingerprint}`;
export const dso = `DSO::1220${"0f".repeat(32)}`;
export const synchronizer = `global-domain::1220${"5e".repeat(32)}`;
export const updateId = `1220${"77".repeat(32)}`;

export function contractId(digit: string): string {
  return `00${digit.repeat(64)}ca101220${digit.repeat(64)}`;
}

/** The terms of a transfer, by an offer or by the token standard. */
export const transferTerms = {
  receiver_party_id: bob,
  amount: "10.0",
  description: "rent of November",
  expires_at: 1_796_083_200_000_000,
  tracking_id: "rent 2026/11",
};

export const ansRules = {
  template_id: `${packageId}:Splice.Ans:AnsRules`,
  contract_id: contractId("1"),
  payload: {
    dso,
    config: {
      renewalDuration: { microseconds: "2592000000000" },
      entryLifetime: { microseconds: "7776000000000" },
      entryFee: "1.0",
      descriptionPrefix: "ANS entry: ",
    },
  },
  created_event_blob: "CgMyLjE=",
  created_at: "2025-01-23T12:48:21.220193Z",
};

export const amuletRules = {
  template_id: `${packageId}:Splice.AmuletRules:AmuletRules`,
  contract_id: contractId("2"),
  payload: { dso, isDevNet: true, configSchedule: { initialValue: {}, futureValues: [] } },
  created_event_blob: "CgMyLjE=",
  created_at: "2025-01-23T12:48:21Z",
};

export function openRound(number: string) {
  return {
    template_id: `${packageId}:Splice.Round:OpenMiningRound`,
    contract_id: contractId(number),
    payload: {
      dso,
      round: { number },
      amuletPrice: "0.005",
      opensAt: "2025-01-23T12:48:21.5Z",
      targetClosesAt: "2025-01-23T13:08:21.5Z",
    },
    created_event_blob: "",
    created_at: "2025-01-23T12:48:21.500Z",
  };
}

export function subscriptionContract(entity: string, digit: string) {
  return {
    template_id: `${packageId}:Splice.Wallet.Subscriptions:${entity}`,
    contract_id: contractId(digit),
    payload: {
      subscriptionData: {
        sender: alice,
        receiver: dso,
        provider: dso,
        dso,
        description: 'ANS entry: "alice"',
      },
      reference: contractId("a"),
    },
    created_event_blob: "CgMyLjE=",
    created_at: "2025-03-12T01:56:28.974Z",
  };
}

export const createdEvent = {
  offset: 7,
  nodeId: 0,
  contractId: contractId("3"),
  templateId: `${packageId}:Splice.Ans:AnsEntry`,
  contractKey: null,
  contractKeyHash: "",
  createArgument: {
    user: alice,
    dso,
    name: "alice.unverified.cns",
    url: "",
    description: "",
    expiresAt: "2025-03-12T01:56:28.974046Z",
  },
  createdEventBlob: "",
  interfaceViews: [],
  witnessParties: [alice],
  signatories: [dso, alice],
  observers: [],
  createdAt: "2025-01-23T12:48:21.500Z",
  packageName: "splice-amulet-name-service",
  representativePackageId: packageId,
  acsDelta: true,
};

export const archivedEvent = {
  offset: 9,
  nodeId: 1,
  contractId: contractId("3"),
  templateId: `${packageId}:Splice.Ans:AnsEntry`,
  witnessParties: [alice],
  packageName: "splice-amulet-name-service",
  implementedInterfaces: [],
};

export const transaction = {
  updateId,
  commandId: "create-1",
  workflowId: "",
  effectiveAt: "2025-01-23T12:48:21.500Z",
  events: [{ CreatedEvent: createdEvent }, { ArchivedEvent: archivedEvent }],
  offset: 9,
  synchronizerId: synchronizer,
  traceContext: { traceparent: `00-${"4b".repeat(16)}-${"00".repeat(8)}-01`, tracestate: null },
  recordTime: "2025-01-23T12:48:21.500123Z",
  externalTransactionHash: null,
  paidTrafficCost: 0,
};
