/** The token standard's registry, by agreement of the scans that serve it: factories, and the contexts of choices. */
import type { DisclosedContract, ChoiceContext as WireContext } from "@callsign/api";
import {
  AllocationFactory,
  type ArgumentOf,
  ChoiceContext,
  type ContractId,
  ledgerJson,
  parseContractId,
  TransferFactory,
} from "@callsign/ledger";
import type { ScanGroup } from "./scan-group.ts";
import { readOf, whole } from "./scan-read.ts";

/** A choice's context, and the contracts that its command discloses. */
export interface ChoiceTerms {
  readonly context: ChoiceContext;
  readonly disclosed: readonly DisclosedContract[];
}

/** A factory's contract, with the terms of one use of it. */
export interface FactoryTerms extends ChoiceTerms {
  readonly factory: ContractId;
}

export type TransferArgument = ArgumentOf<(typeof TransferFactory)["choices"]["TransferFactory_Transfer"]>;
export type AllocateArgument = ArgumentOf<
  (typeof AllocationFactory)["choices"]["AllocationFactory_Allocate"]
>;

const excludeDebugFields = true;

/** The argument's own context is empty. */
export async function readTransferFactory(
  scans: ScanGroup,
  argument: TransferArgument,
): Promise<FactoryTerms> {
  const choiceArguments = objectOf(
    TransferFactory.choices.TransferFactory_Transfer.argument.toJson(argument, ledgerJson),
  );
  const request = { body: { choiceArguments, excludeDebugFields } };
  const what = "the factory of transfers";
  return decodeFactory(await scans.read(readOf("getTransferFactory", request, { what, decode: whole })));
}

/** The argument's own context is empty. */
export async function readAllocationFactory(
  scans: ScanGroup,
  argument: AllocateArgument,
): Promise<FactoryTerms> {
  const choiceArguments = objectOf(
    AllocationFactory.choices.AllocationFactory_Allocate.argument.toJson(argument, ledgerJson),
  );
  const request = { body: { choiceArguments, excludeDebugFields } };
  const what = "the factory of allocations";
  return decodeFactory(await scans.read(readOf("getAllocationFactory", request, { what, decode: whole })));
}

const CONTEXTS = {
  accept: "getTransferInstructionAcceptContext",
  reject: "getTransferInstructionRejectContext",
  withdraw: "getTransferInstructionWithdrawContext",
} as const;

export type TransferStep = keyof typeof CONTEXTS;

/** The terms on which a transfer that waits is accepted, rejected or withdrawn. */
export async function readTransferStep(
  scans: ScanGroup,
  step: TransferStep,
  transferInstructionId: ContractId,
): Promise<ChoiceTerms> {
  const request = { params: { transferInstructionId }, body: { excludeDebugFields } };
  const what = `the context to ${step} a transfer`;
  return decodeTerms(await scans.read(readOf(CONTEXTS[step], request, { what, decode: whole })));
}

export async function readAllocationWithdrawal(
  scans: ScanGroup,
  allocationId: ContractId,
): Promise<ChoiceTerms> {
  const request = { params: { allocationId }, body: { excludeDebugFields } };
  const what = "the context to withdraw an allocation";
  return decodeTerms(
    await scans.read(readOf("getAllocationWithdrawContext", request, { what, decode: whole })),
  );
}

interface WireFactory {
  readonly factoryId: string;
  readonly choiceContext: WireContext;
}

function decodeFactory({ factoryId, choiceContext }: WireFactory): FactoryTerms {
  const factory = parseContractId(factoryId);
  if (!factory.ok) throw new Error(`scans name a factory that is no contract: ${factory.error}`);
  return { factory: factory.value, ...decodeTerms(choiceContext) };
}

function decodeTerms({ choiceContextData, disclosedContracts }: WireContext): ChoiceTerms {
  return {
    context: ChoiceContext.fromJson(choiceContextData, ledgerJson),
    disclosed: disclosedContracts.map(({ templateId, contractId, createdEventBlob, synchronizerId }) => ({
      ...{ templateId, contractId, createdEventBlob, synchronizerId },
    })),
  };
}

type JsonObject = WireContext["choiceContextData"];

/** The JSON of a choice's argument is an object. */
function objectOf(json: unknown): JsonObject {
  return json as JsonObject;
}
