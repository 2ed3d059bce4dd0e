import type { registryApi } from "../../src/index.ts";
import type { Examples } from "../example.ts";
import { alice, amuletRules, contractId, dso, packageId, synchronizer } from "./samples.ts";

const disclosed = {
  templateId: amuletRules.template_id,
  contractId: amuletRules.contract_id,
  createdEventBlob: amuletRules.created_event_blob,
  synchronizerId: synchronizer,
  debugPackageName: "splice-amulet",
  debugPayload: amuletRules.payload,
  debugCreatedAt: amuletRules.created_at,
};

const terms = {
  choiceContextData: {
    values: {
      "amulet-rules": { tag: "AV_ContractId", value: amuletRules.contract_id },
      "expire-lock": { tag: "AV_Bool", value: true },
    },
  },
  disclosedContracts: [
    disclosed,
    {
      templateId: `${packageId}:Splice.Amulet:LockedAmulet`,
      contractId: contractId("3"),
      createdEventBlob: "CgMyLjE=",
      synchronizerId: synchronizer,
      debugPackageName: null,
      debugPayload: null,
      debugCreatedAt: null,
    },
  ],
};

const transfer = { sender: alice, receiver: dso, amount: "10.0", lock: null };
const transferArguments = { expectedAdmin: dso, transfer, extraArgs: { context: { values: {} } } };

const coin = {
  id: "Amulet",
  name: "Amulet",
  symbol: "AMT",
  totalSupply: "1234567.0000000000",
  totalSupplyAsOf: "2025-03-12T02:00:00Z",
  decimals: 10,
  supportedApis: { "splice-api-token-metadata-v1": 1, "splice-api-token-holding-v1": 1 },
};

const byTransfer = {
  request: {
    params: { transferInstructionId: contractId("4") },
    body: { meta: { reason: "pizza" }, excludeDebugFields: true },
  },
  response: terms,
};
const byAllocation = {
  request: { params: { allocationId: contractId("5") } },
  received: { body: { meta: null, excludeDebugFields: null } },
  response: terms,
};

export const registryExamples: Examples<typeof registryApi> = {
  getRegistryInfo: { response: { adminId: dso, supportedApis: { "splice-api-token-metadata-v1": 1 } } },
  listInstruments: {
    request: { query: { pageSize: 25 } },
    received: { query: { pageSize: 25, pageToken: null } },
    response: { instruments: [coin], nextPageToken: null },
  },
  getInstrument: {
    request: { params: { instrumentId: "Amulet" } },
    response: { ...coin, totalSupply: null, totalSupplyAsOf: null },
  },
  getTransferFactory: {
    request: { body: { choiceArguments: transferArguments, excludeDebugFields: true } },
    response: { factoryId: contractId("6"), transferKind: "offer", choiceContext: terms },
  },
  getTransferInstructionAcceptContext: byTransfer,
  getTransferInstructionRejectContext: byTransfer,
  getTransferInstructionWithdrawContext: byTransfer,
  getAllocationFactory: {
    request: { body: { choiceArguments: { expectedAdmin: dso } } },
    received: { body: { choiceArguments: { expectedAdmin: dso }, excludeDebugFields: null } },
    response: { factoryId: contractId("6"), choiceContext: terms },
  },
  getAllocationTransferContext: byAllocation,
  getAllocationWithdrawContext: byAllocation,
  getAllocationCancelContext: byAllocation,
};
