/**
 * Rewards that a transaction mints. The result of every transfer says how much of its inputs was minted, and in which
 * round, whether a wallet's batch, a purchase or a hand-written command made it. Transfers by rules that the network's own
 * DSO did not sign do not count.
 */
import {
  AmuletRules,
  type Decimal,
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

type Minting = Pick<TransferResult, "round" | "summary">;
type Nested = Readonly<Record<"result" | "transferResult", Minting>>;

/** Choices that make a transfer, with the path to the transfer in their result. */
const SOURCES: ReadonlyMap<string, (result: unknown) => Minting> = new Map([
  [`${AmuletRules.id} AmuletRules_Transfer`, (result) => result as Minting],
  [`${AmuletRules.id} AmuletRules_BuyMemberTraffic`, (result) => result as Minting],
  [`${AmuletRules.id} AmuletRules_CreateExternalPartySetupProposal`, inTransferResult],
  [`${AmuletRules.id} AmuletRules_CreateTransferPreapproval`, inTransferResult],
  [`${TransferPreapproval.id} TransferPreapproval_Renew`, inTransferResult],
  [`${TransferPreapproval.id} TransferPreapproval_Send`, (result) => (result as Nested).result],
  [`${TransferPreapproval.id} TransferPreapproval_SendV2`, (result) => (result as Nested).result],
]);

export function listMintedRewards({ verdict }: Outcome, dso: PartyId): readonly MintedReward[] {
  if (verdict.kind !== "accepted" || verdict.transaction === null) return [];
  return transfersOf(verdict.transaction, dso).flatMap(rewardsOf);
}

/** The outermost ones: a send by preapproval contains the same transfer again. */
function transfersOf({ nodes }: Transaction, dso: PartyId): readonly Minting[] {
  const transfers: Minting[] = [];
  let covered = -1;
  for (const node of nodes) {
    if (node.kind !== "exercise" || node.nodeId <= covered) continue;
    const read = SOURCES.get(`${node.templateId} ${node.choice}`);
    if (read === undefined || !node.signatories.includes(dso)) continue;
    transfers.push(read(node.result.value));
    covered = node.lastDescendant;
  }
  return transfers;
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

function inTransferResult(result: unknown): Minting {
  return (result as Nested).transferResult;
}
