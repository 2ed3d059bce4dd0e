/** One SV of a simulated network: what it may do in the DSO's name, one submission a call. */
import { NameCare, type RequestWithdrawal } from "../src/contracts/callsign-names/declarations/names.ts";
import { NameCareV2 } from "../src/contracts/callsign-names/declarations/take-up.ts";
import { Amulet } from "../src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../src/contracts/splice-amulet/declarations/amulet-rules.ts";
import { ExternalPartyConfigState } from "../src/contracts/splice-amulet/declarations/external-party-config-state.ts";
import { AnsEntryContext, AnsRules } from "../src/contracts/splice-amulet-name-service/declarations/ans.ts";
import type { ActionRequiringConfirmation } from "../src/contracts/splice-dso-governance/declarations/confirmed-action.ts";
import { DsoRules } from "../src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import { AmuletPriceVote } from "../src/contracts/splice-dso-governance/declarations/sv-state.ts";
import { transferContextOf } from "../src/contracts/splice-dso-governance/payment-action.ts";
import { type Command, exerciseCommand } from "../src/engine/command.ts";
import type { ArgumentOf, ChoiceName } from "../src/engine/declaration.ts";
import type { RenewalDecision } from "../src/names/decide-renewal.ts";
import type { Outcome } from "../src/transition/outcome.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import type { Decimal } from "../src/values/decimal.ts";
import type { PartyId } from "../src/values/party-id.ts";
import { openRounds } from "./open-rounds.ts";
import type { ActiveContract, SimulatedMember, SimulatedNetwork } from "./simulated-network.ts";

type Choices = (typeof DsoRules)["choices"];
type CareChoices = (typeof NameCareV2)["choices"];

export class SvActor {
  readonly network: SimulatedNetwork;
  readonly member: SimulatedMember;

  constructor(network: SimulatedNetwork, member: SimulatedMember) {
    this.network = network;
    this.member = member;
  }

  get party(): PartyId {
    return this.member.party;
  }

  /** SVs act as themselves and read as the DSO. */
  submit(commands: readonly Command[]): Outcome {
    const { member, network } = this;
    return network.submit(member, { actAs: [member.party], readAs: [network.dso], commands });
  }

  /** A choice of DsoRules that names the SV which acts. */
  act<C extends ChoiceName<typeof DsoRules>>(
    choice: C,
    argument: Omit<ArgumentOf<Choices[C]>, "sv">,
  ): Outcome {
    const whole = { ...argument, sv: this.party } as ArgumentOf<Choices[C]>;
    return this.submit([exerciseCommand(DsoRules, this.network.only(DsoRules).contractId, choice, whole)]);
  }

  /** A choice of NameCare, by the first version that has it. All name the SV which acts and the rules that make it one. */
  care<C extends ChoiceName<typeof NameCareV2>>(
    choice: C,
    argument: Omit<ArgumentOf<CareChoices[C]>, "sv" | "dsoRulesCid">,
  ): Outcome {
    const dsoRulesCid = this.network.only(DsoRules).contractId;
    const whole = { ...argument, sv: this.party, dsoRulesCid } as ArgumentOf<CareChoices[C]>;
    const version = (choice in NameCare.choices ? NameCare : NameCareV2) as typeof NameCareV2;
    return this.submit([exerciseCommand(version, this.network.only(NameCare).contractId, choice, whole)]);
  }

  confirm(action: ActionRequiringConfirmation): Outcome {
    const rules = this.network.only(DsoRules).contractId;
    const argument = { confirmer: this.party, action };
    return this.submit([exerciseCommand(DsoRules, rules, "DsoRules_ConfirmAction", argument)]);
  }

  execute(action: ActionRequiringConfirmation, confirmationCids: readonly ContractId[]): Outcome {
    const amuletRulesCid = this.network.only(AmuletRules).contractId;
    return this.act("DsoRules_ExecuteConfirmedAction", { action, amuletRulesCid, confirmationCids });
  }

  expireConfirmation(staleConfirmationCid: ContractId): Outcome {
    return this.act("DsoRules_ExpireStaleConfirmation", { staleConfirmationCid });
  }

  /** Collects a renewal or gives it back, as decided; nothing if it is to be left alone. */
  carryOutRenewal(decision: RenewalDecision): Outcome | null {
    if (decision.kind === "leave") return null;
    const paymentCid = decision.paymentCid as ContractId;
    const transferContext = transferContextOf(decision);
    if (decision.kind === "return") {
      return this.care("NameCare_ReturnRenewalPayment", { paymentCid, transferContext });
    }
    const { entryCid, ansRulesCid, contextCid } = decision;
    return this.act("DsoRules_CollectEntryRenewalPayment", {
      ansEntryContextCid: contextCid as ContractId,
      choiceArg: {
        paymentCid,
        entryCid: entryCid as ContractId,
        transferContext,
        ansRulesCid: ansRulesCid as ContractId,
      },
    });
  }

  announceWithdrawal(requestCid: ContractId): Outcome {
    return this.care("NameCare_AnnounceWithdrawal", { requestCid });
  }

  /** Withdraws the request of an announcement, with its context if that is still there. */
  withdrawRequest({ contractId, payload }: ActiveContract<typeof RequestWithdrawal>): Outcome {
    const context = this.network
      .active(AnsEntryContext, this.network.dso)
      .find((candidate) => candidate.payload.reference === payload.reference);
    const ansEntryContextCid = context?.contractId ?? null;
    return this.care("NameCare_WithdrawRequest", { withdrawalCid: contractId, ansEntryContextCid });
  }

  discardWithdrawal(withdrawalCid: ContractId): Outcome {
    return this.care("NameCare_DiscardWithdrawal", { withdrawalCid });
  }

  takeUp(requestCid: ContractId): Outcome {
    return this.care("NameCare_TakeUp", {
      requestCid,
      ansRulesCid: this.network.only(AnsRules).contractId,
    });
  }

  discardTakeUp(requestCid: ContractId): Outcome {
    return this.care("NameCare_DiscardTakeUp", { requestCid });
  }

  terminateSubscription(ansEntryContextCid: ContractId, terminatedSubscriptionCid: ContractId): Outcome {
    return this.act("DsoRules_TerminateSubscription", { ansEntryContextCid, terminatedSubscriptionCid });
  }

  expireSubscription(ansEntryContextCid: ContractId, subscriptionIdleStateCid: ContractId): Outcome {
    const choiceArg = { actor: this.network.dso };
    return this.act("DsoRules_ExpireSubscription", {
      ansEntryContextCid,
      subscriptionIdleStateCid,
      choiceArg,
    });
  }

  expireEntry(ansEntryCid: ContractId): Outcome {
    return this.act("DsoRules_ExpireAnsEntry", { ansEntryCid, choiceArg: { actor: this.network.dso } });
  }

  vote(amuletPrice: Decimal): Outcome {
    const own = this.network
      .active(AmuletPriceVote, this.network.dso)
      .find(({ payload }) => payload.sv === this.party);
    if (own === undefined) throw new Error(`${this.party} has no vote`);
    return this.act("DsoRules_UpdateAmuletPriceVote", { voteCid: own.contractId, amuletPrice });
  }

  /** Opens the next round, whether or not one is due. */
  advanceRound(): Outcome {
    const { network } = this;
    const [oldest, middle, latest] = openRounds(network);
    return this.act("DsoRules_AdvanceOpenMiningRounds", {
      amuletRulesCid: network.only(AmuletRules).contractId,
      roundToArchiveCid: oldest.contractId,
      middleRoundCid: middle.contractId,
      latestRoundCid: latest.contractId,
      amuletPriceVoteCids: network.active(AmuletPriceVote, network.dso).map(({ contractId }) => contractId),
    });
  }

  /** Replaces the configuration state that is due first. */
  replaceConfigState(): Outcome {
    const { network } = this;
    const [older, newer] = configStates(network);
    const [round0, round1, round2] = openRounds(network);
    return this.act("DsoRules_UpdateExternalPartyConfigStates", {
      amuletRulesCid: network.only(AmuletRules).contractId,
      externalPartyConfigStateCid0: older.contractId,
      externalPartyConfigStateCid1: newer.contractId,
      openMiningRoundTriple: {
        round0Cid: round0.contractId,
        round1Cid: round1.contractId,
        round2Cid: round2.contractId,
      },
    });
  }

  /** Sweeps a coin away, if its holding fees have eaten it up. */
  expireCoin(cid: ContractId): Outcome {
    const [state0, state1] = configStates(this.network);
    const choiceArg = {
      externalPartyConfigState0Cid: state0.contractId,
      externalPartyConfigState1Cid: state1.contractId,
    };
    return this.network.find(Amulet, cid) === null
      ? this.act("DsoRules_LockedAmulet_ExpireAmuletV2", { cid, choiceArg })
      : this.act("DsoRules_Amulet_ExpireV2", { cid, choiceArg });
  }
}

function configStates(
  network: SimulatedNetwork,
): readonly [
  ActiveContract<typeof ExternalPartyConfigState>,
  ActiveContract<typeof ExternalPartyConfigState>,
] {
  const [older, newer] = [...network.active(ExternalPartyConfigState, network.dso)].sort((a, b) =>
    Number(a.payload.targetArchiveAfter - b.payload.targetArchiveAfter),
  );
  if (older === undefined || newer === undefined) throw new Error("there are no two configuration states");
  return [older, newer];
}
