import type { LoadedPackage } from "../../engine/catalogue.ts";
import {
  tokenAllocationInstructionPackage,
  tokenAllocationPackage,
  tokenAllocationRequestPackage,
  tokenHoldingPackage,
  tokenMetadataPackage,
  tokenTransferInstructionPackage,
} from "../packages.ts";
import { Allocation } from "./allocation.ts";
import { AllocationFactory, AllocationInstruction } from "./allocation-instruction.ts";
import { AllocationRequest } from "./allocation-request.ts";
import { Holding } from "./holding.ts";
import { AnyContract } from "./metadata.ts";
import { TransferFactory, TransferInstruction } from "./transfer-instruction.ts";

/** The packages of the token standard, each after those it builds on. They hold interfaces only. */
export const tokenStandard: readonly LoadedPackage[] = [
  { package: tokenMetadataPackage, templates: [], interfaces: [AnyContract] },
  { package: tokenHoldingPackage, templates: [], interfaces: [Holding] },
  {
    package: tokenTransferInstructionPackage,
    templates: [],
    interfaces: [TransferInstruction, TransferFactory],
  },
  { package: tokenAllocationPackage, templates: [], interfaces: [Allocation] },
  {
    package: tokenAllocationInstructionPackage,
    templates: [],
    interfaces: [AllocationInstruction, AllocationFactory],
  },
  { package: tokenAllocationRequestPackage, templates: [], interfaces: [AllocationRequest] },
];
