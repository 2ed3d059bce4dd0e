/** Requests to the operations that the scan proxy repeats as scans have them. */
import type { Sent, Statuses } from "./strangers.ts";

interface Parties {
  readonly alice: string;
  readonly bob: string;
}

const ofTransfer: Sent = { params: { transferInstructionId: "00" }, body: {} };
const ofAllocation: Sent = { params: { allocationId: "00" }, body: {} };

function transferOf({ alice: sender, bob: receiver }: Parties) {
  const transfer = {
    ...{ sender, receiver, amount: "1.0", instrumentId: { admin: sender, id: "Amulet" } },
    ...{ requestedAt: "2026-01-01T00:00:00Z", executeBefore: "2026-01-02T00:00:00Z" },
    ...{ inputHoldingCids: [], meta: { values: {} } },
  };
  const extraArgs = { context: { values: {} }, meta: { values: {} } };
  return { expectedAdmin: sender, transfer, extraArgs };
}

export function proxiedRequests(parties: () => Parties) {
  return {
    scanProxyGetDsoInfo: () => ({}),
    scanProxyLookupFeaturedAppRight: () => ({ params: { provider_party_id: parties().alice } }),
    scanProxyLookupTransferPreapprovalByParty: () => ({ params: { party: parties().alice } }),
    scanProxyLookupTransferCommandCounterByParty: () => ({ params: { party: parties().alice } }),
    scanProxyLookupTransferCommandStatus: () => ({ query: { sender: parties().alice, nonce: 0 } }),
    scanProxyListUnclaimedDevelopmentFundCoupons: () => ({}),
    scanProxyGetHoldingsSummaryAt: () => ({
      body: { migration_id: 0, record_time: "2000-01-01T00:00:00Z", owner_party_ids: [parties().alice] },
    }),
    scanProxyLookupNames: () => ({ body: { parties: [parties().alice] } }),
    scanProxyListNames: () => ({}),
    scanProxyListNamesOfParty: () => ({ params: { party: parties().alice } }),
    scanProxyCheckName: () => ({ params: { name: "alice" } }),
    scanProxyGetNameHistory: () => ({ params: { name: "alice.unverified.cns" } }),
    scanProxyGetNameStatistics: () => ({}),
    scanProxyGetRegistryInfo: () => ({}),
    scanProxyListInstruments: () => ({}),
    scanProxyGetInstrument: () => ({ params: { instrumentId: "Amulet" } }),
    scanProxyGetTransferFactory: () => ({ body: { choiceArguments: transferOf(parties()) } }),
    scanProxyGetTransferInstructionAcceptContext: () => ofTransfer,
    scanProxyGetTransferInstructionRejectContext: () => ofTransfer,
    scanProxyGetTransferInstructionWithdrawContext: () => ofTransfer,
    scanProxyGetAllocationFactory: () => ({ body: { choiceArguments: {} } }),
    scanProxyGetAllocationTransferContext: () => ofAllocation,
    scanProxyGetAllocationWithdrawContext: () => ofAllocation,
    scanProxyGetAllocationCancelContext: () => ofAllocation,
  } satisfies Readonly<Record<string, () => Sent>>;
}

/** There is none on this network, for whoever may ask. */
const nowhere: Statuses = { "unknown user": 404, "other user": 404, "right user": 404, admin: 404 };

export const PROXIED_EXCEPTIONS = {
  scanProxyLookupTransferCommandCounterByParty: nowhere,
  scanProxyLookupTransferCommandStatus: nowhere,
  scanProxyGetHoldingsSummaryAt: nowhere,
  scanProxyGetTransferInstructionAcceptContext: nowhere,
  scanProxyGetTransferInstructionRejectContext: nowhere,
  scanProxyGetTransferInstructionWithdrawContext: nowhere,
  scanProxyGetAllocationTransferContext: nowhere,
  scanProxyGetAllocationWithdrawContext: nowhere,
  scanProxyGetAllocationCancelContext: nowhere,
} as const satisfies Readonly<Record<string, Statuses>>;
