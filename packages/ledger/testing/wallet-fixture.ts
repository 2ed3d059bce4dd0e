/**
 * The sandbox network for wallets: app payments, offers, traffic and preapprovals, with the party who acts named by
 * the test and everything of the DSO's disclosed, as scan would do.
 */
import { AmuletRules } from "../src/contracts/splice-amulet/declarations/amulet-rules.ts";
import { ExternalPartyConfigState } from "../src/contracts/splice-amulet/declarations/external-party-config-state.ts";
import { ValidatorRewardCoupon } from "../src/contracts/splice-amulet/declarations/reward-coupons.ts";
import { TransferPreapproval } from "../src/contracts/splice-amulet/declarations/transfer-preapproval.ts";
import type { AmuletOperation } from "../src/contracts/splice-wallet/declarations/amulet-operation.ts";
import {
  AcceptedAppPayment,
  AppPaymentRequest,
} from "../src/contracts/splice-wallet-payments/declarations/app-payments.ts";
import type { PaymentAmount } from "../src/contracts/splice-wallet-payments/declarations/payment-amount.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import { decimal } from "../src/values/decimal.ts";
import { MINUTE } from "../src/values/duration.ts";
import type { PartyId } from "../src/values/party-id.ts";
import { addDuration, type Time } from "../src/values/time.ts";
import { NameNetwork } from "./name-fixture.ts";
import { TEST_SYNCHRONIZER } from "./network-fixture.ts";
import type { RoundWithId } from "./open-rounds.ts";
import { type Submitting, testParty } from "./sandbox.ts";
import { alice, bob, inputAmulet, laFamiglia, validator } from "./subscription-fixture.ts";

export const carol = testParty("carol");
export const MEMBER_ID = `PAR::validator::1220${"ab".repeat(32)}`;
/** The smallest purchase that the default configuration allows. */
export const MIN_TOP_UP = 200_000n;
/** 0.2 MB × $16.67 ÷ $0.005. */
export const MIN_TOP_UP_COST = "666.8";
/** A day × $0.00274 ÷ $0.005. */
export const FEE_OF_A_DAY = "0.548";

export function coins(amount: string): PaymentAmount {
  return { amount: decimal(amount), unit: "AmuletUnit" };
}

export function dollars(amount: string): PaymentAmount {
  return { amount: decimal(amount), unit: "USDUnit" };
}

export interface TrafficOrder {
  readonly inputs: readonly ContractId[];
  readonly provider?: PartyId;
  readonly memberId?: string;
  readonly synchronizerId?: string;
  readonly migrationId?: bigint;
  readonly trafficAmount?: bigint;
  readonly featuredAppRight?: ContractId;
  readonly expectedDso?: PartyId | null;
  readonly as?: Submitting;
}

export class WalletNetwork extends NameNetwork {
  /** The contracts of the DSO that a sender by configuration state needs. */
  configStates(): readonly ContractId[] {
    return this.sandbox.active(ExternalPartyConfigState).map(({ contractId }) => contractId);
  }

  later(duration: bigint): Time {
    return addDuration(this.sandbox.now, duration);
  }

  /** Signed by everybody, as the app would bring it about. It expires in five minutes. */
  requestPayment(
    amounts: readonly (readonly [PartyId, PaymentAmount])[],
    given: { readonly sender?: PartyId; readonly expiresAt?: Time; readonly description?: string } = {},
  ): ContractId {
    const { sender = alice, expiresAt = this.later(5n * MINUTE), description = "a pizza" } = given;
    const receiverAmounts = amounts.map(([receiver, amount]) => ({ receiver, amount }));
    return this.sandbox.create(
      AppPaymentRequest,
      { sender, receiverAmounts, provider: laFamiglia, dso: this.dso, expiresAt, description },
      { actAs: [sender, laFamiglia, ...amounts.map(([receiver]) => receiver)] },
    );
  }

  acceptPayment(
    requestCid: ContractId,
    inputs: readonly ContractId[],
    as: Submitting = this.as(alice, validator),
  ) {
    const argument = {
      inputs: inputs.map(inputAmulet),
      context: this.paymentContext(),
      walletProvider: validator,
    };
    return this.sandbox.exercise(AppPaymentRequest, requestCid, "AppPaymentRequest_Accept", argument, as);
  }

  collectAppPayment(paymentCid: ContractId, signers: readonly PartyId[], round?: RoundWithId) {
    const argument = { context: this.appContext(round) };
    const as = this.as(...signers);
    return this.sandbox.exercise(AcceptedAppPayment, paymentCid, "AcceptedAppPayment_Collect", argument, as);
  }

  buyTraffic(order: TrafficOrder) {
    const { provider = validator, featuredAppRight = null, expectedDso = this.dso } = order;
    const argument = {
      inputs: order.inputs.map(inputAmulet),
      context: { ...this.transferContext(), featuredAppRight },
      provider,
      memberId: order.memberId ?? MEMBER_ID,
      synchronizerId: order.synchronizerId ?? TEST_SYNCHRONIZER,
      migrationId: order.migrationId ?? 0n,
      trafficAmount: order.trafficAmount ?? MIN_TOP_UP,
      expectedDso,
    };
    const as = order.as ?? this.as(provider);
    return this.sandbox.exercise(AmuletRules, this.amuletRules, "AmuletRules_BuyMemberTraffic", argument, as);
  }

  /** Signed by all three, without a fee. */
  grantPreapproval(
    expiresAt: Time,
    given: { readonly receiver?: PartyId; readonly provider?: PartyId } = {},
  ) {
    const { receiver = bob, provider = validator } = given;
    const { now: validFrom } = this.sandbox;
    return this.sandbox.create(
      TransferPreapproval,
      { dso: this.dso, receiver, provider, validFrom, lastRenewedAt: validFrom, expiresAt },
      { actAs: [receiver, provider, this.dso] },
    );
  }

  feature(provider: PartyId): ContractId {
    const as = this.as(provider);
    const choice = "AmuletRules_DevNet_FeatureApp";
    return this.sandbox.exercise(AmuletRules, this.amuletRules, choice, { provider }, as).featuredAppRightCid;
  }

  /** The validators' reward coupons for burns, in the order in which they came. */
  burnCoupons() {
    return this.sandbox.active(ValidatorRewardCoupon).map(({ payload }) => payload);
  }

  /** A batch of a wallet that the user hosts alone; the validator's own wallet, unless said otherwise. */
  runOwn(
    operations: readonly AmuletOperation[],
    inputs: readonly ContractId[] = [],
    user: PartyId = validator,
  ) {
    return this.executeBatch(this.installWallet(user, user), { inputs, operations, as: this.as(user) });
  }
}
