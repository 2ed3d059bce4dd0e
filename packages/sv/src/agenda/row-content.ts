/** By what each of the agenda's contracts is found, and when time makes it due. */
import {
  ActionRequiringConfirmation,
  AmuletAllocation,
  type AmuletRulesAction,
  AmuletTransferInstruction,
  AnsEntry,
  AnsEntryContext,
  type AnyTemplateDeclaration,
  ClosedMiningRound,
  Confirmation,
  type Contract,
  type ContractId,
  DevelopmentFundCoupon,
  ExternalPartyConfigState,
  FeaturedAppActivityMarker,
  type Hash,
  IssuingMiningRound,
  MemberTraffic,
  type PayloadOf,
  RequestWithdrawal,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionRequest,
  SummarizingMiningRound,
  SvRewardState,
  TerminatedSubscription,
  TransferCommand,
  TransferCommandCounter,
  TransferPreapproval,
  UnallocatedUnclaimedActivityRecord,
  UnclaimedActivityRecord,
  ValidatorLicense,
  VoteRequest,
} from "@callsign/ledger";
import {
  commandKey,
  confirmationKey,
  contentKey,
  contractKey,
  roundKey,
  textKey,
  trafficText,
} from "./agenda-row.ts";

export interface RowContent {
  readonly key: bigint;
  /** A second key: the reference of a context, the coin of a payment, what a confirmation is about, when a marker was made. */
  readonly other: bigint | null;
  /** The first moment at which time alone makes it due. */
  readonly due: bigint | null;
  /** Whether it waits for the SVs from its creation on. */
  readonly pending: boolean;
}

/** What else a row depends on. */
export interface RowContext {
  readonly hash: Hash;
  readonly isActive: (contractId: ContractId) => boolean;
  /** The name of a context, by its reference or by its own id. */
  readonly nameOfReference: (reference: ContractId) => string | null;
  readonly nameOfContext: (context: ContractId) => string | null;
  /** The number of a round that is no longer open. */
  readonly numberOfRound: (round: ContractId) => bigint | null;
  /** Whether the commands of a sender with that key are counted. */
  readonly hasCounter: (key: bigint) => boolean;
  /** How many SVs have to agree at present. */
  readonly requiredVotes: () => number;
  /** For how long a request may go without an answer, in microseconds. */
  readonly requestWait: bigint;
}

type Reader = (value: unknown, context: RowContext, contract: Contract) => Partial<RowContent>;

const PLAIN: RowContent = { key: 0n, other: null, due: null, pending: false };

const READERS: ReadonlyMap<string, Reader> = new Map([
  on(AnsEntryContext, ({ reference }) => ({ key: contractKey(reference), other: contentKey(reference) })),
  on(AnsEntry, ({ name, expiresAt }, { hash }) => ({ key: textKey(hash, name), due: expiresAt + 1n })),
  on(SubscriptionRequest, (_request, { requestWait }, { contractId, createdAt }) => ({
    key: contentKey(contractId),
    due: createdAt + requestWait,
  })),
  on(RequestWithdrawal, ({ reference, withdrawableAt }) => ({
    key: contentKey(reference),
    due: withdrawableAt,
  })),
  on(SubscriptionInitialPayment, ({ reference, lockedAmulet }, context) => ({
    key: nameOrReference(context, reference),
    other: contractKey(lockedAmulet),
    pending: true,
  })),
  on(SubscriptionPayment, ({ reference, lockedAmulet, thisPaymentDueAt }, context) => ({
    key: nameOrReference(context, reference),
    other: contractKey(lockedAmulet),
    due: thisPaymentDueAt,
    pending: true,
  })),
  on(SubscriptionIdleState, ({ reference, nextPaymentDueAt }) => ({
    key: contractKey(reference),
    due: nextPaymentDueAt + 1n,
  })),
  on(TerminatedSubscription, ({ reference }) => ({ key: contractKey(reference), pending: true })),
  on(Confirmation, ({ action, confirmer, expiresAt }, context) => ({
    key: confirmationKey(context.hash, ActionRequiringConfirmation.encode(action), confirmer),
    other: keyOfAction(context, action),
    due: expiresAt,
  })),
  on(VoteRequest, (request, { requiredVotes }) => ({
    due: endOfVote(request, requiredVotes()),
    pending: true,
  })),
  on(ExternalPartyConfigState, ({ targetArchiveAfter }) => ({ due: targetArchiveAfter })),
  on(MemberTraffic, (traffic, { hash }) => ({ key: textKey(hash, trafficText(traffic)) })),
  on(ValidatorLicense, ({ validator }, { hash }) => ({ key: textKey(hash, validator) })),
  on(SvRewardState, ({ svName }, { hash }) => ({ key: textKey(hash, svName) })),
  // A marker does not fall due by itself: the oldest of them stands for all.
  on(FeaturedAppActivityMarker, (_marker, _context, { createdAt }) => ({ other: createdAt })),
  on(SummarizingMiningRound, ({ round }) => ({ key: round.number, pending: true })),
  on(ClosedMiningRound, ({ round }) => ({ key: round.number, pending: true })),
  on(IssuingMiningRound, ({ round, targetClosesAt }) => ({ key: round.number, due: targetClosesAt })),
  on(TransferPreapproval, ({ expiresAt }) => ({ due: expiresAt })),
  on(UnclaimedActivityRecord, ({ expiresAt }) => ({ due: expiresAt })),
  on(UnallocatedUnclaimedActivityRecord, ({ expiresAt }) => ({ due: expiresAt })),
  on(AmuletTransferInstruction, ({ transfer }) => ({ due: transfer.executeBefore })),
  on(AmuletAllocation, ({ allocation }) => ({ due: allocation.settlement.settleBefore })),
  on(TransferCommand, ({ sender }, { hash, hasCounter }) => {
    const key = textKey(hash, sender);
    return { key, pending: !hasCounter(key) };
  }),
  on(TransferCommandCounter, ({ sender }, { hash }) => ({ key: textKey(hash, sender) })),
  on(DevelopmentFundCoupon, ({ expiresAt }) => ({ due: expiresAt })),
]);

export function rowContentOf(contract: Contract, value: unknown, context: RowContext): RowContent {
  return { ...PLAIN, ...READERS.get(contract.templateId)?.(value, context, contract) };
}

function on<T extends AnyTemplateDeclaration>(
  { id }: T,
  read: (value: PayloadOf<T>, context: RowContext, contract: Contract) => Partial<RowContent>,
): readonly [string, Reader] {
  return [id, read as Reader];
}

/** What a confirmation is about. */
function keyOfAction(context: RowContext, action: ActionRequiringConfirmation): bigint | null {
  if (action.tag === "ARC_AnsEntryContext") {
    const name = context.nameOfContext(action.value.ansEntryContextCid);
    return name === null ? null : textKey(context.hash, name);
  }
  if (action.tag === "ARC_DsoRules") {
    const { tag, value } = action.value.dsoAction;
    return tag === "SRARC_CreateTransferCommandCounter"
      ? commandKey(textKey(context.hash, value.sender))
      : null;
  }
  if (action.tag !== "ARC_AmuletRules") return null;
  const roundCid = roundOfAction(action.value.amuletRulesAction);
  const number = roundCid === null ? null : context.numberOfRound(roundCid);
  return number === null ? null : roundKey(number);
}

function roundOfAction({ tag, value }: AmuletRulesAction): ContractId | null {
  if (tag === "CRARC_MiningRound_StartIssuing") return value.miningRoundCid;
  return tag === "CRARC_MiningRound_Archive" ? value.closedRoundCid : null;
}

/**
 * When the vote ends by itself. One with a date ends early if too few have voted; another vote would make it another
 * contract. Should SVs come or go meanwhile, it is looked at with all that waits.
 */
function endOfVote({ votes, voteBefore, targetEffectiveAt }: VoteRequest, required: number): bigint {
  return targetEffectiveAt === null || votes.length < required ? voteBefore : targetEffectiveAt;
}

/** A payment whose context is gone can still be given back. */
function nameOrReference({ hash, nameOfReference }: RowContext, reference: ContractId): bigint {
  const name = nameOfReference(reference);
  return name === null ? contractKey(reference) : textKey(hash, name);
}
