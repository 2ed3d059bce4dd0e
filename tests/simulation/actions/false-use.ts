/** Attacks that must fail: using a contract twice, another party's contract, or one of the wrong template. */

import { AmuletRules } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import { AnsEntryContext } from "../../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { TerminatedSubscription } from "../../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { createCommand, exerciseCommand } from "../../../packages/ledger/src/engine/command.ts";
import { decimal } from "../../../packages/ledger/src/values/decimal.ts";
import { usableRound } from "../../../packages/ledger/testing/open-rounds.ts";
import type { World } from "../world.ts";
import { type Action, mustBeRejected, NOTHING, nameOf, verdictOf } from "./action.ts";

/** One coin twice in a transfer, or in two transfers of one submission. */
function doubleSpend({ random, network, wallets }: World): string {
  const wallet = random.pick(wallets);
  const coin = random.find(wallet.coins());
  if (coin === undefined) return NOTHING;
  const output = {
    receiver: wallet.party,
    receiverFeeRatio: decimal("0.0"),
    amount: coin.amount,
    lock: null,
  };
  const rules = network.only(AmuletRules).contractId;
  const openMiningRound = usableRound(network);
  const context = { openMiningRound, issuingMiningRounds: [], validatorRights: [], featuredAppRight: null };
  const input = { tag: "InputAmulet", value: coin.contractId } as const;
  const transferOf = (inputs: readonly (typeof input)[]) => {
    const transfer = {
      sender: wallet.party,
      provider: wallet.party,
      inputs,
      outputs: [output],
      beneficiaries: null,
    };
    return exerciseCommand(AmuletRules, rules, "AmuletRules_Transfer", {
      transfer,
      context,
      expectedDso: network.dso,
    });
  };
  const commands = random.chance(0.5)
    ? [transferOf([input, input])]
    : [transferOf([input]), transferOf([input])];
  const outcome = network.submit(wallet.member, {
    actAs: [wallet.party],
    commands,
    disclose: [rules, openMiningRound],
  });
  return mustBeRejected("a double spend", outcome, ["CONTRACT_NOT_ACTIVE", "SEQUENCER_BACKPRESSURE"]);
}

/** Coin of another user of the same validator, who even acts too, is not the sender's to spend. */
function spendAnothers({ random, wallets }: World): string {
  const [thief, victim] = random.shuffle(wallets);
  const coin = victim === undefined ? undefined : random.find(victim.coins());
  if (thief === undefined || victim === undefined || coin === undefined) return NOTHING;
  if (thief.member !== victim.member) return NOTHING;
  const output = {
    receiver: victim.party,
    receiverFeeRatio: decimal("0.0"),
    amount: decimal("0.0000000001"),
    lock: null,
  };
  const outcome = thief.transfer([output], [coin.contractId]);
  return mustBeRejected("spending another's coin", outcome, ["DAML_FAILURE", "SEQUENCER_BACKPRESSURE"]);
}

/** The tombstone of one subscription does not end the context of another, though both are the user's. */
function wrongTombstone({ random, network, wallets }: World): string {
  const tombstone = random.find(network.active(TerminatedSubscription, network.dso));
  const wallet = wallets.find(({ party }) => party === tombstone?.payload.subscriptionData.sender);
  const context = network.active(AnsEntryContext, network.dso).find(({ payload }) => {
    return payload.user === wallet?.party && payload.reference !== tombstone?.payload.reference;
  });
  if (tombstone === undefined || wallet === undefined || context === undefined) return NOTHING;
  const argument = { actor: wallet.party, terminatedSubscriptionCid: tombstone.contractId };
  const command = exerciseCommand(AnsEntryContext, context.contractId, "AnsEntryContext_Terminate", argument);
  const outcome = network.submit(wallet.member, { actAs: [wallet.party], commands: [command] });
  const allowed = ["DAML_AUTHORIZATION_ERROR", "DAML_FAILURE", "SEQUENCER_BACKPRESSURE"];
  return mustBeRejected("ending a context with another's tombstone", outcome, allowed);
}

/** A user ends its own context with a tombstone it created: foolish, legal, and without harm to others. */
function endOwnContext(world: World): string {
  const { random, network, wallets } = world;
  const context = random.find(network.active(AnsEntryContext, network.dso));
  const wallet = wallets.find(({ party }) => party === context?.payload.user);
  if (context === undefined || wallet === undefined) return NOTHING;
  const { party, member } = wallet;
  const { reference } = context.payload;
  const subscriptionData = {
    sender: party,
    receiver: party,
    provider: party,
    dso: party,
    description: "mine",
  };
  const made = network.submit(member, {
    actAs: [party],
    commands: [createCommand(TerminatedSubscription, { subscriptionData, reference })],
  });
  const terminatedSubscriptionCid = made.created[0]?.contract.contractId;
  if (terminatedSubscriptionCid === undefined) return verdictOf(made);
  const argument = { actor: party, terminatedSubscriptionCid };
  const command = exerciseCommand(AnsEntryContext, context.contractId, "AnsEntryContext_Terminate", argument);
  return `${nameOf(wallet)}: ${verdictOf(network.submit(member, { actAs: [party], commands: [command] }))}`;
}

export const falseUse: readonly Action[] = [
  { name: "double spend", weight: 2, run: doubleSpend },
  { name: "spend another's", weight: 2, run: spendAnothers },
  { name: "wrong tombstone", weight: 2, run: wrongTombstone },
  { name: "own context", weight: 1, run: endOwnContext },
];
