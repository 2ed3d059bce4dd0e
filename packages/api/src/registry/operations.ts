/**
 * The operations of a registry of the token standard. Scans serve them without a prefix; a validator repeats them under
 * its scan proxy, by agreement of several scans.
 */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { mapOf } from "../wire/map-of.ts";
import { int32, int32Parameter } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime, fixedDecimal } from "../wire/texts.ts";
import { ChoiceContext, ChoiceContextRequest, FactoryRequest } from "./choice-context.ts";

/** API names with their minor versions. */
const SupportedApis = mapOf(int32);

const RegistryInfo = z
  .object({ adminId: z.string(), supportedApis: SupportedApis })
  .meta({ id: "GetRegistryInfoResponse" });

const Instrument = z
  .object({
    id: z.string(),
    name: z.string(),
    symbol: z.string(),
    /** At the time of the last snapshot of holdings; null before the first. */
    totalSupply: orNull(fixedDecimal),
    totalSupplyAsOf: orNull(dateTime),
    decimals: int32,
    supportedApis: SupportedApis,
  })
  .meta({ id: "Instrument" });
export type Instrument = z.output<typeof Instrument>;

/** `self`: to oneself. `direct`: at once, by the receiver's preapproval. `offer`: for the receiver to accept. */
const TransferFactoryContext = z
  .object({
    factoryId: z.string(),
    transferKind: z.enum(["self", "direct", "offer"]),
    choiceContext: ChoiceContext,
  })
  .meta({ id: "TransferFactoryWithChoiceContext" });

const AllocationFactoryContext = z
  .object({ factoryId: z.string(), choiceContext: ChoiceContext })
  .meta({ id: "FactoryWithChoiceContext" });

/** A context of a contract that exists: of a transfer that waits, or of an allocation. */
const byTransfer = {
  params: z.object({ transferInstructionId: z.string() }),
  method: "POST",
  body: ChoiceContextRequest,
  bodyMayBeAbsent: true,
  success: json(ChoiceContext),
  errors: [400, 404, 429, 500, 503],
} as const;
const byAllocation = { ...byTransfer, params: z.object({ allocationId: z.string() }) } as const;

export const registryOperations = defineEndpoints({ tags: ["registry"], auth: "none" })({
  getRegistryInfo: {
    method: "GET",
    path: "/registry/metadata/v1/info",
    summary: "The registry's administrator, and the APIs it serves for all instruments",
    success: json(RegistryInfo),
    errors: [429, 500, 503],
  },
  listInstruments: {
    method: "GET",
    path: "/registry/metadata/v1/instruments",
    summary: "The instruments of the registry: the coin",
    description: "There is one page: its size and its token are taken and ignored, as in Splice.",
    query: z.object({ pageSize: orNull(int32Parameter), pageToken: orNull(z.string()) }),
    success: json(z.object({ instruments: z.array(Instrument), nextPageToken: orNull(z.string()) })),
    errors: [400, 429, 500, 503],
  },
  getInstrument: {
    method: "GET",
    path: "/registry/metadata/v1/instruments/{instrumentId}",
    summary: "One instrument",
    params: z.object({ instrumentId: z.string() }),
    success: json(Instrument),
    errors: [400, 404, 429, 500, 503],
  },
  getTransferFactory: {
    method: "POST",
    path: "/registry/transfer-instruction/v1/transfer-factory",
    summary: "The contract that makes transfers, with the context of one",
    body: FactoryRequest,
    success: json(TransferFactoryContext),
    errors: [400, 404, 429, 500, 503],
  },
  getTransferInstructionAcceptContext: {
    ...byTransfer,
    path: "/registry/transfer-instruction/v1/{transferInstructionId}/choice-contexts/accept",
    summary: "The context in which the receiver accepts a transfer",
  },
  getTransferInstructionRejectContext: {
    ...byTransfer,
    path: "/registry/transfer-instruction/v1/{transferInstructionId}/choice-contexts/reject",
    summary: "The context in which the receiver rejects a transfer",
  },
  getTransferInstructionWithdrawContext: {
    ...byTransfer,
    path: "/registry/transfer-instruction/v1/{transferInstructionId}/choice-contexts/withdraw",
    summary: "The context in which the sender withdraws a transfer",
  },
  getAllocationFactory: {
    method: "POST",
    path: "/registry/allocation-instruction/v1/allocation-factory",
    summary: "The contract that makes allocations, with the context of one",
    body: FactoryRequest,
    success: json(AllocationFactoryContext),
    errors: [400, 404, 429, 500, 503],
  },
  getAllocationTransferContext: {
    ...byAllocation,
    path: "/registry/allocations/v1/{allocationId}/choice-contexts/execute-transfer",
    summary: "The context in which an allocation is settled",
  },
  getAllocationWithdrawContext: {
    ...byAllocation,
    path: "/registry/allocations/v1/{allocationId}/choice-contexts/withdraw",
    summary: "The context in which the sender withdraws an allocation",
  },
  getAllocationCancelContext: {
    ...byAllocation,
    path: "/registry/allocations/v1/{allocationId}/choice-contexts/cancel",
    summary: "The context in which an allocation is cancelled",
  },
});
