/** The controllers of each choice of the token standard, and of external parties (section 2.11 of the model). */
import { FeaturedAppRight } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletAllocation } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-allocation.ts";
import { AmuletTransferInstruction } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-transfer-instruction.ts";
import {
  ExternalPartyAmuletRules,
  TransferCommand,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/external-party-amulet-rules.ts";
import { AmuletConversionRateFeed } from "../../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/amulet-conversion-rate-feed.ts";
import type { PartyId } from "../../../packages/ledger/src/values/party-id.ts";
import { interfaceRows, rows } from "./controller-rows.ts";

interface Leg {
  readonly sender: PartyId;
}

const dso = (payload: { readonly dso: PartyId }) => [payload.dso];
const inTransfer = (_rules: unknown, argument: unknown) => [
  (argument as { readonly transfer: Leg }).transfer.sender,
];
const inAllocation = (_rules: unknown, argument: unknown) => [
  (argument as { readonly allocation: { readonly transferLeg: Leg } }).allocation.transferLeg.sender,
];
const actor = (_rules: unknown, argument: unknown) => [(argument as { readonly actor: PartyId }).actor];
const receiver = ({ transfer }: AmuletTransferInstruction) => [transfer.receiver];
const sender = ({ transfer }: AmuletTransferInstruction) => [transfer.sender];
const settling = ({ allocation: { settlement, transferLeg } }: AmuletAllocation) => [
  settlement.executor,
  transferLeg.sender,
  transferLeg.receiver,
];

export const tokenControllers = [
  rows(ExternalPartyAmuletRules, {
    ExternalPartyAmuletRules_ExpireAmuletAllocations: dso,
    ExternalPartyAmuletRules_CreateTransferCommand: (_rules, argument) => [argument.sender],
  }),
  rows(AmuletAllocation, {
    AmuletAllocation_DsoExpire: ({ allocation }) => [allocation.transferLeg.instrumentId.admin],
  }),
  rows(TransferCommand, {
    TransferCommand_Send: (command) => [command.delegate],
    TransferCommand_Withdraw: (command) => [command.sender],
    TransferCommand_Expire: (_command, { p }) => [p],
  }),
  rows(AmuletConversionRateFeed, {
    AmuletConversionRateFeed_ArchiveAsDso: dso,
    AmuletConversionRateFeed_Update: (feed) => [feed.publisher],
  }),
] as const;

export const interfaceControllers = [
  interfaceRows(FeaturedAppRight, { FeaturedAppRight_CreateActivityMarker: (right) => [right.provider] }),
  interfaceRows(ExternalPartyAmuletRules, {
    TransferFactory_Transfer: inTransfer,
    TransferFactory_PublicFetch: actor,
    AllocationFactory_Allocate: inAllocation,
    AllocationFactory_PublicFetch: actor,
  }),
  interfaceRows(AmuletTransferInstruction, {
    TransferInstruction_Accept: receiver,
    TransferInstruction_Reject: receiver,
    TransferInstruction_Withdraw: sender,
    TransferInstruction_Update: ({ transfer }, argument) => [
      transfer.instrumentId.admin,
      ...(argument as { readonly extraActors: readonly PartyId[] }).extraActors,
    ],
  }),
  interfaceRows(AmuletAllocation, {
    Allocation_ExecuteTransfer: settling,
    Allocation_Cancel: settling,
    Allocation_Withdraw: ({ allocation }) => [allocation.transferLeg.sender],
  }),
] as const;
