/** Transfers of coin for rule tables: everybody concerned acts, everything needed is disclosed. */
import { Amulet } from "../src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../src/contracts/splice-amulet/declarations/amulet-rules.ts";
import type { TimeLock } from "../src/contracts/splice-amulet/declarations/fees.ts";
import type {
  TransferContext,
  TransferInput,
  TransferOutput,
  TransferResult,
} from "../src/contracts/splice-amulet/declarations/transfer.ts";
import type { AppRewardBeneficiary } from "../src/contracts/splice-api-featured-app-v1/featured-app-right.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import { type Decimal, decimal, formatDecimalShort } from "../src/values/decimal.ts";
import type { PartyId } from "../src/values/party-id.ts";
import type { SandboxNetwork } from "./network-fixture.ts";

export interface TestTransfer {
  readonly sender: PartyId;
  /** The sender, unless given. */
  readonly provider?: PartyId;
  /** Coins by id, other inputs as they are. */
  readonly inputs: readonly (ContractId | TransferInput)[];
  readonly outputs: readonly TransferOutput[];
  readonly beneficiaries?: readonly AppRewardBeneficiary[];
  readonly context?: Partial<TransferContext>;
  /** Parties whose contracts the sender's node shows, such as the users of a validator. */
  readonly readAs?: readonly PartyId[];
  /** The network's DSO, unless given. */
  readonly expectedDso?: PartyId | null;
}

export function outputTo(
  receiver: PartyId,
  amount: string | Decimal,
  lock: TimeLock | null = null,
): TransferOutput {
  return {
    receiver,
    receiverFeeRatio: decimal("0.0"),
    amount: typeof amount === "string" ? decimal(amount) : amount,
    lock,
  };
}

export function transferCoins(
  network: SandboxNetwork,
  transfer: TestTransfer,
  actAs: readonly PartyId[] = everybodyIn(transfer),
): TransferResult {
  const { sender, provider = sender, inputs, outputs, beneficiaries = null } = transfer;
  const { expectedDso = network.dso, readAs = [] } = transfer;
  const context = network.transferContext(transfer.context);
  const issuingRounds = context.issuingMiningRounds.map(([, contractId]) => contractId);
  return network.sandbox.exercise(
    AmuletRules,
    network.amuletRules,
    "AmuletRules_Transfer",
    {
      transfer: {
        sender,
        provider,
        inputs: inputs.map(asInput),
        outputs,
        beneficiaries,
      },
      context,
      expectedDso,
    },
    { actAs, readAs, disclose: [...network.disclosures(), ...issuingRounds] },
  );
}

function asInput(input: ContractId | TransferInput): TransferInput {
  return typeof input === "string" ? { tag: "InputAmulet", value: input } : input;
}

/** The owner's unlocked coins, smallest first, as short decimals. */
export function coinsOf(network: SandboxNetwork, owner: PartyId): readonly string[] {
  return network.sandbox
    .active(Amulet)
    .filter(({ payload }) => payload.owner === owner)
    .map(({ payload }) => payload.amount.initialAmount)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map(formatDecimalShort);
}

function everybodyIn({ sender, provider = sender, outputs }: TestTransfer): readonly PartyId[] {
  return [
    ...new Set([
      sender,
      provider,
      ...outputs.flatMap(({ receiver, lock }) => [receiver, ...(lock?.holders ?? [])]),
    ]),
  ];
}
