/** Payments between people: offers, payments that apps ask for, preapproved transfers. */
import { FeaturedAppRight } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import {
  AcceptedAppPayment,
  AcceptedTransferOffer,
  AmuletRules,
  AppPaymentRequest,
  type ContractId,
  createCommand,
  ExternalPartyConfigState,
  ExternalPartySetupProposal,
  exerciseCommand,
  OpenMiningRound,
  type PartyId,
  TransferOffer,
  TransferPreapproval,
  TransferPreapprovalProposal,
} from "../../../packages/ledger/src/index.ts";
import { type Decimal, decimal, decimalFromUnits } from "../../../packages/ledger/src/values/decimal.ts";
import { DAY, HOUR, MINUTE } from "../../../packages/ledger/src/values/duration.ts";
import { addDuration, type Time } from "../../../packages/ledger/src/values/time.ts";
import type { Random } from "../../support/random.ts";
import type { Account } from "./account.ts";
import { type EconomyAction, neighbours, withAccount, withContract } from "./economy-action.ts";
import type { EconomyWorld } from "./economy-world.ts";

function later({ network, random }: EconomyWorld, ...spans: readonly bigint[]): Time {
  return addDuration(network.now, random.pick(spans));
}

function anAmount(random: Random): Decimal {
  return decimalFromUnits(1n + random.bigBelow(10n ** BigInt(random.between(8, 13))));
}

/** In coin, or in dollars that are worth about as much. */
function aPrice(random: Random) {
  return random.chance(0.5)
    ? ({ amount: anAmount(random), unit: "AmuletUnit" } as const)
    : ({ amount: decimal(random.pick(["0.01", "1.0", "0.3333333333"])), unit: "USDUnit" } as const);
}

function featuredRightOf({ network }: EconomyWorld, provider: PartyId): ContractId | null {
  const right = network
    .active(FeaturedAppRight, network.dso)
    .find(({ payload }) => payload.provider === provider);
  return right?.contractId ?? null;
}

/** An app that is featured arranges a transfer between users of its validator, and shares its rewards perhaps. */
function featuredTransfer(app: Account, world: EconomyWorld) {
  const { random } = world;
  const right = featuredRightOf(world, app.party);
  const [sender, receiver] = [random.pick(neighbours(world, app)), random.pick(neighbours(world, app))];
  const { inputs, context, disclose } = sender.funds();
  if (right === null || inputs.length === 0) return null;
  const third = decimal("0.3333333333");
  const shared = [
    { beneficiary: receiver.party, weight: third },
    { beneficiary: app.party, weight: decimal("0.6666666667") },
  ];
  const amount = anAmount(random);
  const output = { receiver: receiver.party, receiverFeeRatio: decimal("0.0"), amount, lock: null };
  const transfer = {
    sender: sender.party,
    provider: app.party,
    inputs,
    outputs: [output],
    beneficiaries: random.chance(0.5) ? null : shared,
  };
  const argument = {
    transfer,
    context: { ...context, featuredAppRight: right },
    expectedDso: world.network.dso,
  };
  const command = exerciseCommand(AmuletRules, sender.amuletRules, "AmuletRules_Transfer", argument);
  return sender.submitAs([sender.party, app.party, receiver.party], [command], [...disclose, right]);
}

const offer = withAccount((sender, world) => {
  const { random, network } = world;
  const argument = {
    receiver: random.pick(world.accounts).party,
    amount: aPrice(random),
    description: "thanks",
    expiresAt: later(world, MINUTE, HOUR),
    trackingId: `offer-${network.state.head.sequence}`,
  };
  return sender.byInstall("WalletAppInstall_CreateTransferOffer", argument);
});

/** The receiver accepts, or does not; sometimes the sender takes it back. */
const answerOffer = withContract(
  TransferOffer,
  ({ receiver }) => receiver,
  (receiver, { contractId: cid, payload }, { random, accounts, network }) => {
    const sender = accounts.find(({ party }) => party === payload.sender);
    if (payload.expiresAt <= network.now)
      return receiver.byInstall("WalletAppInstall_TransferOffer_Expire", { cid });
    if (random.chance(0.1) && sender !== undefined)
      return sender.byInstall("WalletAppInstall_TransferOffer_Withdraw", { cid, reason: "no" });
    const choice = random.pick(["Accept", "Accept", "Accept", "Reject"] as const);
    return receiver.byInstall(`WalletAppInstall_TransferOffer_${choice}`, { cid });
  },
);

const completeOffer = withContract(
  AcceptedTransferOffer,
  ({ sender }) => sender,
  (sender, { contractId: cid, payload }, { random, network }) => {
    if (payload.expiresAt <= network.now)
      return sender.byInstall("WalletAppInstall_AcceptedTransferOffer_Expire", { cid });
    if (random.chance(0.1))
      return sender.byInstall("WalletAppInstall_AcceptedTransferOffer_Abort", { cid, reason: "no" });
    return sender.batch([{ tag: "CO_CompleteAcceptedTransfer", value: cid }]);
  },
);

/** An app asks a user to pay others; all of them have the same validator, since all have to sign. */
const requestPayment = withAccount((provider, world) => {
  const { random, network } = world;
  const near = neighbours(world, provider);
  const sender = random.pick(near);
  const receivers = [...new Set([random.pick(near), random.pick(near)])];
  const request = {
    sender: sender.party,
    receiverAmounts: receivers.map(({ party }) => ({ receiver: party, amount: aPrice(random) })),
    provider: provider.party,
    dso: network.dso,
    expiresAt: later(world, MINUTE, HOUR),
    description: "a thing",
  };
  const actAs = [sender, provider, ...receivers].map(({ party }) => party);
  return provider.submitAs(actAs, [createCommand(AppPaymentRequest, request)]);
});

const answerPayment = withContract(
  AppPaymentRequest,
  ({ sender }) => sender,
  (sender, { contractId: cid, payload }, { random, network }) => {
    const isLate = payload.expiresAt <= network.now;
    if (!isLate && random.chance(0.85)) return sender.batch([{ tag: "CO_AppPayment", value: cid }]);
    return sender.byInstall(`WalletAppInstall_AppPaymentRequest_${isLate ? "Expire" : "Reject"}`, { cid });
  },
);

/** In its own round a payment is collected; otherwise the receivers give it back, or its sender takes it back. */
const settlePayment = withContract(
  AcceptedAppPayment,
  ({ sender }) => sender,
  (sender, { contractId, payload }, world) => {
    const { random, network } = world;
    const rounds = network.active(OpenMiningRound, network.dso);
    const own = rounds.find(({ payload: { round } }) => round.number === payload.round.number);
    const openMiningRound = (own ?? rounds[0])?.contractId;
    if (openMiningRound === undefined) return null;
    const right = random.chance(0.5) ? featuredRightOf(world, payload.provider) : null;
    const context = { amuletRules: sender.amuletRules, openMiningRound, featuredAppRight: right };
    const receivers = payload.amuletReceiverAmounts.map(({ receiver }) => receiver);
    const disclose = [sender.amuletRules, openMiningRound, ...(right === null ? [] : [right])];
    if (own !== undefined && random.chance(0.8)) {
      const command = exerciseCommand(AcceptedAppPayment, contractId, "AcceptedAppPayment_Collect", {
        context,
      });
      return sender.submitAs([sender.party, payload.provider, ...receivers], [command], disclose);
    }
    const isReject = random.chance(0.6);
    const choice = isReject ? "AcceptedAppPayment_Reject" : "AcceptedAppPayment_Expire";
    const command = exerciseCommand(AcceptedAppPayment, contractId, choice, { context });
    return sender.submitAs(isReject ? receivers : [sender.party], [command], disclose);
  },
);

const propose = withAccount((account, world) => {
  const provider = account.member.party;
  if (!account.isOperator) {
    const proposal = { receiver: account.party, provider, expectedDso: world.network.dso };
    return account.submit([createCommand(TransferPreapprovalProposal, proposal)]);
  }
  const user = world.random.pick(neighbours(world, account)).party;
  const preapprovalExpiresAt = later(world, HOUR, DAY);
  const value = { externalParty: user, preapprovalExpiresAt };
  return account.batch([{ tag: "CO_CreateExternalPartySetupProposal", value }]);
});

const acceptProposal = withContract(
  TransferPreapprovalProposal,
  ({ provider }) => provider,
  (provider, { contractId }, world) => {
    const value = { preapprovalProposalCid: contractId, expiresAt: later(world, HOUR, DAY, 10n * DAY) };
    return provider.batch([{ tag: "CO_AcceptTransferPreapprovalProposal", value }]);
  },
);

const answerSetup = withContract(
  ExternalPartySetupProposal,
  ({ user }) => user,
  (user, { contractId, payload }, { random, network }) => {
    const template = ExternalPartySetupProposal;
    const isLate = payload.preapprovalExpiresAt <= network.now;
    const command =
      !isLate && random.chance(0.7)
        ? exerciseCommand(template, contractId, "ExternalPartySetupProposal_Accept", {})
        : exerciseCommand(template, contractId, "ExternalPartySetupProposal_Reject", { reason: "no" });
    return user.submit([command]);
  },
);

/** A preapproved transfer from any sender, by a round or by a configuration state that stays in force for a day. */
const sendPreapproved = withContract(
  TransferPreapproval,
  ({ receiver }) => receiver,
  (_receiver, { contractId, payload }, world) => {
    const { random, network } = world;
    const sender = random.pick(world.accounts);
    const right = random.chance(0.5) ? featuredRightOf(world, payload.provider) : null;
    const amount = anAmount(random);
    const shown = [contractId, ...(right === null ? [] : [right])];
    if (random.chance(0.7)) {
      const value = {
        transferPreapprovalCid: contractId,
        providerFeaturedAppRightCid: right,
        amount,
        description: null,
      };
      return sender.batch([{ tag: "CO_TransferPreapprovalSend", value }], shown);
    }
    const state = random.pick(network.active(ExternalPartyConfigState, network.dso)).contractId;
    const inputs = sender.funds().inputs.filter(({ tag }) => tag === "InputAmulet");
    const context = { externalPartyConfigState: state, featuredAppRight: right };
    const argument = { context, inputs, amount, sender: sender.party, description: "thanks" };
    const command = exerciseCommand(TransferPreapproval, contractId, "TransferPreapproval_SendV2", argument);
    return sender.submit([command], [...shown, state]);
  },
);

const keepPreapproval = withContract(
  TransferPreapproval,
  ({ provider }) => provider,
  (provider, { contractId, payload }, world) => {
    if (world.random.chance(0.4)) {
      const argument = { p: provider.party };
      return provider.submit([
        exerciseCommand(TransferPreapproval, contractId, "TransferPreapproval_Cancel", argument),
      ]);
    }
    const newExpiresAt = addDuration(payload.expiresAt, world.random.pick([1n, HOUR, DAY]));
    const value = { previousApprovalCid: contractId, newExpiresAt };
    return provider.batch([{ tag: "CO_RenewTransferPreapproval", value }]);
  },
);

export const paymentActions: readonly EconomyAction[] = [
  { name: "featured transfer", weight: 10, run: withAccount(featuredTransfer) },
  { name: "offer", weight: 6, run: offer },
  { name: "answer offer", weight: 8, run: answerOffer },
  { name: "complete offer", weight: 8, run: completeOffer },
  { name: "request payment", weight: 5, run: requestPayment },
  { name: "answer payment", weight: 7, run: answerPayment },
  { name: "settle payment", weight: 7, run: settlePayment },
  { name: "propose preapproval", weight: 3, run: propose },
  { name: "accept proposal", weight: 4, run: acceptProposal },
  { name: "answer setup", weight: 3, run: answerSetup },
  { name: "send preapproved", weight: 6, run: sendPreapproved },
  { name: "keep preapproval", weight: 3, run: keepPreapproval },
];
