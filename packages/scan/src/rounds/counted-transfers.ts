/**
 * Transfers of a transaction, with the rewards that they mint and the traffic that they buy. The result of every transfer
 * says how much of its inputs was minted, and in which round, whether a wallet's batch, a purchase or a hand-written command
 * made it. Transfers by rules that the network's own DSO did not sign do not count.
 */
import {
  AmuletRules,
  type Decimal,
  type ExerciseNode,
  type Outcome,
  type PartyId,
  type Transaction,
  TransferPreapproval,
  type TransferResult,
} from "@callsign/ledger";

/** `validator` includes rewards for liveness. */
export const REWARD_KINDS = ["app", "validator", "sv", "activity-record", "development-fund"] as const;
export type RewardKind = (typeof REWARD_KINDS)[number];

export interface MintedReward {
  /** The open round of the transfer, not the one that the reward was earned in. */
  readonly round: bigint;
  readonly kind: RewardKind;
  readonly amount: Decimal;
}

export interface BoughtTraffic {
  readonly bytes: bigint;
  readonly paid: Decimal;
}

export interface CountedTransfer {
  /** The open round of the transfer. */
  readonly round: bigint;
  /** The sender, or who pays for traffic or a preapproval. */
  readonly party: PartyId;
  readonly rewards: readonly MintedReward[];
  readonly traffic: BoughtTraffic | null;
}

type Minting = Pick<TransferResult, "round" | "summary">;
type Nested = Readonly<Record<"result" | "transferResult", Minting>>;

interface Source {
  /** The path to the transfer in the result. */
  readonly minting: (result: unknown) => Minting;
  readonly party: (node: Exercised) => unknown;
}

interface Exercised {
  readonly argument: Readonly<Record<string, unknown>>;
  readonly result: Readonly<Record<string, unknown>>;
}

const PURCHASE = "AmuletRules_BuyMemberTraffic";
const itself = (result: unknown) => result as Minting;
const inTransferResult = (result: unknown) => (result as Nested).transferResult;
const inResult = (result: unknown) => (result as Nested).result;

/** Choices that make a transfer. */
const SOURCES: ReadonlyMap<string, Source> = new Map([
  [
    `${AmuletRules.id} AmuletRules_Transfer`,
    {
      minting: itself,
      party: ({ argument }) => (argument["transfer"] as { readonly sender: PartyId }).sender,
    },
  ],
  [`${AmuletRules.id} ${PURCHASE}`, { minting: itself, party: ({ argument }) => argument["provider"] }],
  [
    `${AmuletRules.id} AmuletRules_CreateExternalPartySetupProposal`,
    { minting: inTransferResult, party: ({ result }) => result["validator"] },
  ],
  [
    `${AmuletRules.id} AmuletRules_CreateTransferPreapproval`,
    { minting: inTransferResult, party: ({ argument }) => argument["provider"] },
  ],
  [
    `${TransferPreapproval.id} TransferPreapproval_Renew`,
    { minting: inTransferResult, party: ({ result }) => result["provider"] },
  ],
  [
    `${TransferPreapproval.id} TransferPreapproval_Send`,
    { minting: inResult, party: ({ argument }) => argument["sender"] },
  ],
  [
    `${TransferPreapproval.id} TransferPreapproval_SendV2`,
    { minting: inResult, party: ({ argument }) => argument["sender"] },
  ],
]);

export function listTransfers({ verdict }: Outcome, dso: PartyId): readonly CountedTransfer[] {
  if (verdict.kind !== "accepted" || verdict.transaction === null) return [];
  return transfersOf(verdict.transaction, dso);
}

/** The outermost ones: a send by preapproval contains the same transfer again. */
function transfersOf({ nodes }: Transaction, dso: PartyId): readonly CountedTransfer[] {
  const transfers: CountedTransfer[] = [];
  let covered = -1;
  for (const node of nodes) {
    if (node.kind !== "exercise" || node.nodeId <= covered) continue;
    const source = SOURCES.get(`${node.templateId} ${node.choice}`);
    if (source === undefined || !node.signatories.includes(dso)) continue;
    transfers.push(readTransfer(node, source));
    covered = node.lastDescendant;
  }
  return transfers;
}

function readTransfer(node: ExerciseNode, { minting, party }: Source): CountedTransfer {
  const { round, summary } = minting(node.result.value);
  const exercised = {
    argument: node.argument.value as Exercised["argument"],
    result: node.result.value as Exercised["result"],
  };
  return {
    round: round.number,
    party: party(exercised) as PartyId,
    rewards: rewardsOf({ round, summary }),
    traffic: node.choice === PURCHASE ? trafficOf(exercised) : null,
  };
}

function trafficOf({ argument, result }: Exercised): BoughtTraffic {
  return { bytes: argument["trafficAmount"] as bigint, paid: result["amuletPaid"] as Decimal };
}

function rewardsOf({ round: { number: round }, summary }: Minting): readonly MintedReward[] {
  const amounts: Readonly<Record<RewardKind, Decimal | null>> = {
    app: summary.inputAppRewardAmount,
    validator: summary.inputValidatorRewardAmount,
    sv: summary.inputSvRewardAmount,
    "activity-record": summary.inputUnclaimedActivityRecordAmount,
    "development-fund": summary.inputDevelopmentFundAmount,
  };
  return REWARD_KINDS.flatMap((kind) => {
    const amount = amounts[kind];
    return amount === null || amount === 0n ? [] : [{ round, kind, amount }];
  });
}
