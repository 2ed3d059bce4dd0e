/**
 * Transfers by the token standard. Scans name the factory and the contexts of its choices; the wallet's install contract
 * hands the choices on. The registry decides whether the coin changes hands at once or waits for its receiver.
 */
import type { CreateTokenTransferRequest, TokenTransferResult, Transaction } from "@callsign/api";
import {
  AmuletTransferInstruction,
  amuletInstrument,
  type ChoiceContext,
  type ContractId,
  type ExtraArgs,
  type Metadata,
  REASON_KEY,
  type ResultOf,
  type TransferFactory,
  WalletAppInstall,
} from "@callsign/ledger";
import { exercise } from "../ledger/commands.ts";
import { getExerciseResult } from "../ledger/exercise-result.ts";
import { MAX_COMMAND_ID, MAX_SENT_DESCRIPTION } from "../limits/limits.ts";
import { readTransferFactory, readTransferStep, type TransferStep } from "../scans/registry-reads.ts";
import type { ScanGroup } from "../scans/scan-group.ts";
import { actOnce, type OnceParts } from "./act-once.ts";
import { readAmount, readPartyField, readText, readTimeField } from "./request-fields.ts";
import { gatherHoldings } from "./token-holdings.ts";
import { requireAhead, requireHosted } from "./tracked-requests.ts";
import type { Wallet } from "./wallet.ts";

export interface TokenParts extends OnceParts {
  readonly scans: ScanGroup;
}

const NO_METADATA: Metadata = { values: [] };
const NO_CONTEXT: ChoiceContext = { values: [] };
export const NO_EXTRA_ARGS: ExtraArgs = { context: NO_CONTEXT, meta: NO_METADATA };

export async function createTokenTransfer(
  parts: TokenParts,
  { party, install }: Wallet,
  given: CreateTokenTransferRequest,
): Promise<TokenTransferResult> {
  const { once, ledger, facts, scans, clock, treasury } = parts;
  const receiver = readPartyField("receiver_party_id", given.receiver_party_id);
  const amount = readAmount("amount", given.amount, "coin");
  const description = readText("description", given.description, MAX_SENT_DESCRIPTION);
  const executeBefore = readTimeField("expires_at", given.expires_at);
  const id = readText("tracking_id", given.tracking_id, MAX_COMMAND_ID);
  const choice = "WalletAppInstall_TransferFactory_Transfer";
  const makeBatch = async () => {
    const dso = await facts.dso();
    const inputHoldingCids = await gatherHoldings(parts, party, amount);
    const requestedAt = clock.now;
    const transfer = {
      ...{ sender: party, receiver, amount, instrumentId: amuletInstrument(dso) },
      ...{ requestedAt, executeBefore, inputHoldingCids },
      meta: { values: [[REASON_KEY, description]] as const },
    };
    const argument = { expectedAdmin: dso, transfer, extraArgs: NO_EXTRA_ARGS };
    const { factory, context, disclosed } = await readTransferFactory(scans, argument);
    const transferArg = { ...argument, extraArgs: { context, meta: NO_METADATA } };
    return {
      commands: [exercise(WalletAppInstall, install, choice, { transferFactoryCid: factory, transferArg })],
      ...{ disclosed, notBefore: requestedAt },
    };
  };
  const answer = await once.run({
    ...{ operation: "createTokenStandardTransfer", party, id, content: given },
    what: "Token standard transfer with tracking_id",
    check: async () => {
      await requireAhead(parts, "expires_at", executeBefore);
      await requireHosted(parts, receiver);
    },
    submit: (identity) => treasury.run(party, () => ledger.submitAs("operator", party, makeBatch, identity)),
    answerOf: (transaction) => answerOf(parts, transaction, party, choice),
  });
  return JSON.parse(answer);
}

const ofReceiver = {
  what: "received token standard transfer",
  partyOf: ({ transfer }: AmuletTransferInstruction) => transfer.receiver,
};

const STEPS = {
  accept: {
    ...{ ...ofReceiver, operation: "acceptTokenStandardTransfer" },
    choice: "WalletAppInstall_TransferInstruction_Accept",
    command: (install: ContractId, transferInstructionCid: ContractId, extraArgs: ExtraArgs) => {
      const argument = { transferInstructionCid, acceptArg: { extraArgs } };
      return exercise(WalletAppInstall, install, "WalletAppInstall_TransferInstruction_Accept", argument);
    },
  },
  reject: {
    ...{ ...ofReceiver, operation: "rejectTokenStandardTransfer" },
    choice: "WalletAppInstall_TransferInstruction_Reject",
    command: (install: ContractId, transferInstructionCid: ContractId, extraArgs: ExtraArgs) => {
      const argument = { transferInstructionCid, rejectArg: { extraArgs } };
      return exercise(WalletAppInstall, install, "WalletAppInstall_TransferInstruction_Reject", argument);
    },
  },
  withdraw: {
    operation: "withdrawTokenStandardTransfer",
    what: "token standard transfer of its own",
    partyOf: ({ transfer }: AmuletTransferInstruction) => transfer.sender,
    choice: "WalletAppInstall_TransferInstruction_Withdraw",
    command: (install: ContractId, transferInstructionCid: ContractId, extraArgs: ExtraArgs) => {
      const argument = { transferInstructionCid, withdrawArg: { extraArgs } };
      return exercise(WalletAppInstall, install, "WalletAppInstall_TransferInstruction_Withdraw", argument);
    },
  },
} as const;

/** The receiver accepts or rejects a transfer that waits, or the sender withdraws it. */
export async function endTokenTransfer(
  parts: TokenParts,
  wallet: Wallet,
  step: TransferStep,
  contractId: string,
): Promise<TokenTransferResult> {
  const { command, choice, ...action } = STEPS[step];
  const answer = await actOnce(parts, wallet, {
    ...{ ...action, template: AmuletTransferInstruction, contractId },
    makeBatch: async ({ contractId: cid }) => {
      const { context, disclosed } = await readTransferStep(parts.scans, step, cid);
      return { commands: [command(wallet.install, cid, { context, meta: NO_METADATA })], disclosed };
    },
    answerOf: (transaction) => answerOf(parts, transaction, wallet.party, choice),
  });
  return JSON.parse(answer);
}

type Forward = (typeof STEPS)[TransferStep]["choice"] | "WalletAppInstall_TransferFactory_Transfer";

async function answerOf(
  { participant }: TokenParts,
  { offset }: Transaction,
  party: Wallet["party"],
  choice: Forward,
): Promise<string> {
  const sought = { template: WalletAppInstall, choice };
  return JSON.stringify(formatResult(await getExerciseResult(participant, { offset, party }, sought)));
}

type Result = ResultOf<(typeof TransferFactory)["choices"]["TransferFactory_Transfer"]>;

function formatResult({ output, senderChangeCids, meta }: Result): TokenTransferResult {
  return { output: formatOutput(output), sender_change_cids: [...senderChangeCids], meta: formatMeta(meta) };
}

function formatOutput(output: Result["output"]): TokenTransferResult["output"] {
  switch (output.tag) {
    case "TransferInstructionResult_Pending":
      return { transfer_instruction_cid: output.value.transferInstructionCid };
    case "TransferInstructionResult_Completed":
      return { receiver_holding_cids: [...output.value.receiverHoldingCids] };
    case "TransferInstructionResult_Failed":
      return {};
  }
}

export function formatMeta({ values }: Metadata): Record<string, string> {
  return Object.fromEntries(values);
}
