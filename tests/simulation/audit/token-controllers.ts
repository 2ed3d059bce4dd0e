/** The controllers of each choice of the token standard, and of external parties (section 2.11 of the model). */

import { FeaturedAppRight } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletConversionRateFeed } from "../../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/amulet-conversion-rate-feed.ts";
import {
  AmuletAllocation,
  AmuletTransferInstruction,
  ExternalPartyAmuletRules,
  type PartyId,
  TransferCommand,
} from "../../../packages/ledger/src/index.ts";
import { given, interfaceRows, of, rows } from "./controller-rows.ts";

interface Leg {
  readonly sender: PartyId;
}

const inTransfer = (_rules: unknown, { transfer }: { readonly transfer: Leg }) => [transfer.sender];
const inAllocation = (_rules: unknown, argument: { readonly allocation: { readonly transferLeg: Leg } }) => [
  argument.allocation.transferLeg.sender,
];
const receiver = ({ transfer }: AmuletTransferInstruction) => [transfer.receiver];
const sender = ({ transfer }: AmuletTransferInstruction) => [transfer.sender];
const settling = ({ allocation: { settlement, transferLeg } }: AmuletAllocation) => [
  settlement.executor,
  transferLeg.sender,
  transferLeg.receiver,
];

export const tokenControllers = [
  rows(ExternalPartyAmuletRules, {
    ExternalPartyAmuletRules_ExpireAmuletAllocations: of("dso"),
    ExternalPartyAmuletRules_CreateTransferCommand: given("sender"),
  }),
  rows(AmuletAllocation, {
    AmuletAllocation_DsoExpire: ({ allocation }) => [allocation.transferLeg.instrumentId.admin],
  }),
  rows(TransferCommand, {
    TransferCommand_Send: of("delegate"),
    TransferCommand_Withdraw: of("sender"),
    TransferCommand_Expire: given("p"),
  }),
  rows(AmuletConversionRateFeed, {
    AmuletConversionRateFeed_ArchiveAsDso: of("dso"),
    AmuletConversionRateFeed_Update: of("publisher"),
  }),
] as const;

export const interfaceControllers = [
  interfaceRows(FeaturedAppRight, { FeaturedAppRight_CreateActivityMarker: of("provider") }),
  interfaceRows(ExternalPartyAmuletRules, {
    TransferFactory_Transfer: inTransfer,
    TransferFactory_PublicFetch: given("actor"),
    AllocationFactory_Allocate: inAllocation,
    AllocationFactory_PublicFetch: given("actor"),
  }),
  interfaceRows(AmuletTransferInstruction, {
    TransferInstruction_Accept: receiver,
    TransferInstruction_Reject: receiver,
    TransferInstruction_Withdraw: sender,
    TransferInstruction_Update: ({ transfer }, argument: { readonly extraActors: readonly PartyId[] }) => [
      transfer.instrumentId.admin,
      ...argument.extraActors,
    ],
  }),
  interfaceRows(AmuletAllocation, {
    Allocation_ExecuteTransfer: settling,
    Allocation_Cancel: settling,
    Allocation_Withdraw: ({ allocation }) => [allocation.transferLeg.sender],
  }),
] as const;
