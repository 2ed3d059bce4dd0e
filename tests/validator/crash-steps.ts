/**
 * One step for each operation of a validator that changes anything: the contracts that it needs, and the call. A step may be
 * repeated any number of times, and changes the ledger in the same way each time.
 */
import {
  MintingDelegation,
  type PartyId,
  PrimaryName,
  type Time,
  TransferPreapprovalProposal,
  WalletAppInstall,
} from "@callsign/ledger";
import { DAY, HOUR } from "../../packages/ledger/src/values/duration.ts";
import { SERVICE_USER } from "../../packages/localnet/src/tokens.ts";
import { create } from "../../packages/validator/src/ledger/commands.ts";
import { fresh } from "../support/fresh.ts";
import { TICK } from "../support/local-network.ts";
import type { CrashScene } from "./crash-scene.ts";

/** The call, which is repeated after a crash. */
export type Call = () => Promise<unknown>;
export type Step = (scene: CrashScene) => Promise<Call>;

/** A call of Bob's, or of another user. */
const by =
  (
    prepare: (
      scene: CrashScene,
    ) => Promise<(client: Awaited<ReturnType<CrashScene["as"]>>) => Promise<unknown>>,
    user = "bob",
  ): Step =>
  async (scene) => {
    const call = await prepare(scene);
    return async () => await call(await scene.as(user));
  };

/** The steps by operation, in an order in which each finds the contracts that it needs. */
export const CRASH_STEPS: Readonly<Record<string, Step>> = {
  tap: by(async () => {
    const body = { amount: "5", command_id: fresh("tap") };
    return (bob) => bob.tap({ body });
  }),
  createAnsEntry: by(async () => {
    const body = { name: fresh("name"), url: "", description: "" };
    return (bob) => bob.createAnsEntry({ body });
  }),
  acceptSubscriptionRequest: by(async (scene) => {
    const contract_id = await scene.requestName();
    return (bob) => bob.acceptSubscriptionRequest({ params: { contract_id } });
  }),
  rejectSubscriptionRequest: by(async (scene) => {
    const contract_id = await scene.requestName();
    return (bob) => bob.rejectSubscriptionRequest({ params: { contract_id } });
  }),
  setAutoRenewal: by(async (scene) => {
    const { subscription: subscription_id } = await scene.buyName();
    return (bob) => bob.setAutoRenewal({ params: { subscription_id }, body: { enabled: false } });
  }),
  cancelSubscriptionRequest: by(async (scene) => {
    const { idle: contract_id } = await scene.buyName();
    return (bob) => bob.cancelSubscriptionRequest({ params: { contract_id } });
  }),
  takeUpAnsEntry: by(async (scene) => {
    const { name, idle: contract_id } = await scene.buyName();
    await (await scene.as("bob")).cancelSubscriptionRequest({ params: { contract_id } });
    // The SVs end what belongs to the subscription by themselves.
    await scene.validator.quiet();
    return (bob) => bob.takeUpAnsEntry({ body: { name } });
  }),
  setPrimaryName: by(async (scene) => {
    const { name } = await scene.buyName();
    await (await scene.as("bob")).removePrimaryName();
    return (bob) => bob.setPrimaryName({ body: { name } });
  }),
  removePrimaryName: by(async (scene) => {
    const { name } = await scene.buyName();
    const wallet = await scene.as("bob");
    await wallet.removePrimaryName();
    await wallet.setPrimaryName({ body: { name } });
    return (bob) => bob.removePrimaryName();
  }),
  createTransferOffer: by(async (scene) => {
    const body = await scene.offerTerms();
    return (bob) => bob.createTransferOffer({ body });
  }),
  acceptTransferOffer: by(async (scene) => {
    const offer = await scene.offer();
    return (carol) => carol.acceptTransferOffer(offer);
  }, "carol"),
  rejectTransferOffer: by(async (scene) => {
    const offer = await scene.offer();
    return (carol) => carol.rejectTransferOffer(offer);
  }, "carol"),
  withdrawTransferOffer: by(async (scene) => {
    const offer = await scene.offer();
    return (bob) => bob.withdrawTransferOffer(offer);
  }),
  createTokenStandardTransfer: by(async (scene) => {
    const body = await scene.offerTerms();
    return (bob) => bob.createTokenStandardTransfer({ body });
  }),
  acceptTokenStandardTransfer: by(async (scene) => {
    const transfer = await scene.offerTokens();
    return (carol) => carol.acceptTokenStandardTransfer(transfer);
  }, "carol"),
  rejectTokenStandardTransfer: by(async (scene) => {
    const transfer = await scene.offerTokens();
    return (carol) => carol.rejectTokenStandardTransfer(transfer);
  }, "carol"),
  withdrawTokenStandardTransfer: by(async (scene) => {
    const transfer = await scene.offerTokens();
    return (bob) => bob.withdrawTokenStandardTransfer(transfer);
  }),
  allocateAmulet: by(async (scene) => {
    const body = await scene.allocationTerms();
    return (bob) => bob.allocateAmulet({ body });
  }),
  withdrawAmuletAllocation: by(async (scene) => {
    const { output } = await (await scene.as("bob")).allocateAmulet({ body: await scene.allocationTerms() });
    const params = { contract_id: "allocation_cid" in output ? output.allocation_cid : "" };
    return (bob) => bob.withdrawAmuletAllocation({ params });
  }),
  createBuyTrafficRequest: by(async (scene) => {
    const { amulet_rules } = await (await scene.as("bob")).scanProxyGetAmuletRules();
    const body = {
      receiving_validator_party_id: await scene.party("carol"),
      ...{ domain_id: amulet_rules.domain_id ?? "", traffic_amount: 200_000 },
      ...{ tracking_id: fresh("traffic"), expires_at: scene.inTime(HOUR) },
    };
    return (bob) => bob.createBuyTrafficRequest({ body });
  }),
  acceptAppPaymentRequest: by(async (scene) => {
    const request = await scene.askForPayment();
    return (bob) => bob.acceptAppPaymentRequest(request);
  }),
  rejectAppPaymentRequest: by(async (scene) => {
    const request = await scene.askForPayment();
    return (bob) => bob.rejectAppPaymentRequest(request);
  }),
  selfGrantFeatureAppRight: by(async (scene) => {
    await (await scene.as("bob")).cancelFeaturedAppRights();
    return (bob) => bob.selfGrantFeatureAppRight();
  }),
  cancelFeaturedAppRights: by(async (scene) => {
    await (await scene.as("bob")).selfGrantFeatureAppRight();
    return (bob) => bob.cancelFeaturedAppRights();
  }),
  acceptMintingDelegationProposal: by(async (scene) => {
    const bob = await scene.as("bob");
    // A new delegation would replace one that stands.
    for (const { contract } of (await bob.listMintingDelegations()).delegations)
      await bob.rejectMintingDelegation({ params: contract });
    const proposal = await scene.proposeDelegation();
    return (delegate) => delegate.acceptMintingDelegationProposal(proposal);
  }),
  rejectMintingDelegationProposal: by(async (scene) => {
    const proposal = await scene.proposeDelegation();
    return (bob) => bob.rejectMintingDelegationProposal(proposal);
  }),
  rejectMintingDelegation: by(async (scene) => {
    const delegation = await scene.delegate();
    return (bob) => bob.rejectMintingDelegation(delegation);
  }),
  register: async (scene) => {
    const user = fresh("guest");
    return async () => (await scene.as(user)).register();
  },
  onboardUser: by(async () => {
    const name = fresh("guest");
    return (operator) => operator.onboardUser({ body: { name } });
  }, SERVICE_USER),
  offboardUser: by(async (scene) => {
    const { user: username } = await scene.guest();
    return (operator) => operator.offboardUser({ query: { username } });
  }, SERVICE_USER),
  createTransferPreapproval: async (scene) => {
    const { user } = await scene.guest();
    return async () => (await scene.as(user)).createTransferPreapproval();
  },
  transferPreapprovalSend: by(async (scene) => {
    const receiver_party_id = await scene.preapprovedGuest();
    const body = { receiver_party_id, amount: "2.5", deduplication_id: fresh("send") };
    return (bob) => bob.transferPreapprovalSend({ body });
  }),
  cancelTransferPreapprovalByParty: by(async (scene) => {
    const params = { "receiver-party": await scene.preapprovedGuest() };
    return (operator) => operator.cancelTransferPreapprovalByParty({ params });
  }, SERVICE_USER),
  allocateDevelopmentFundCoupon: by(async (scene) => {
    const coupon = await scene.fundCoupon();
    return (bob) => bob.allocateDevelopmentFundCoupon(coupon);
  }),
  withdrawDevelopmentFundCoupon: by(async (scene) => {
    const given = await (await scene.as("bob")).allocateDevelopmentFundCoupon(await scene.fundCoupon());
    const params = { contract_id: given.development_fund_coupon_contract_id };
    return (bob) => bob.withdrawDevelopmentFundCoupon({ params, body: { reason: "a slip" } });
  }),
};

/** The statuses of repeated calls whose contract is gone, or whose party has its one preapproval. */
export const DONE_STATUSES: Readonly<Record<string, number>> = {
  acceptSubscriptionRequest: 404,
  createTransferPreapproval: 409,
  cancelTransferPreapprovalByParty: 404,
  // The next payment is not due yet.
  paySubscription: 400,
};

/** Steps that are slow, because months pass before the call. */
export const SLOW_STEPS: Readonly<Record<string, Step>> = {
  paySubscription: by(async (scene) => {
    await scene.endRenewals();
    const { subscription: subscription_id } = await scene.buyName();
    await (await scene.as("bob")).setAutoRenewal({ params: { subscription_id }, body: { enabled: false } });
    await scene.network.net.moveClock(61n * DAY);
    return (bob) => bob.paySubscription({ params: { subscription_id } });
  }),
};

/** The automations follow a wallet that somebody else has installed. */
const installElsewhere: Step = async (scene) => {
  const party = await scene.allocateParty();
  const [operator, dso] = [scene.validator.operator as PartyId, await scene.dso()];
  const wallet = {
    dsoParty: dso,
    validatorParty: operator,
    endUserName: fresh("guest"),
    endUserParty: party,
  };
  return once(() => scene.submit([operator, party], create(WalletAppInstall, wallet)));
};

/** The automations sweep a guest's coin above a limit to a receiver with a preapproval, or with automatic acceptance. */
const sweep =
  (useTransferPreapproval: boolean): Step =>
  async (scene) => {
    const { user, party } = await scene.guest();
    const receiver = useTransferPreapproval ? await scene.preapprovedGuest() : (await scene.guest()).party;
    await scene.validator.quiet();
    const limits = { maxBalanceUSD: 5, minBalanceUSD: "1.5" };
    await scene.validator.restartWith({
      walletSweep: { [party]: { ...limits, receiver, useTransferPreapproval } },
      autoAcceptTransfers: { [receiver]: { fromParties: [party] } },
    });
    const body = { amount: "10", command_id: fresh("tap") };
    return async () => (await scene.as(user)).tap({ body });
  };

/** The automations read a hosted party without a wallet, for which Bob may mint, and merge its coins. */
const delegateElsewhere: Step = async (scene) => {
  const [beneficiary, delegate, dso] = [
    await scene.preapprovedParty(),
    await scene.party("bob"),
    await scene.dso(),
  ];
  const bob = await scene.as("bob");
  for (const amount of ["1.0", "2.0"]) {
    const body = { receiver_party_id: beneficiary, amount, deduplication_id: fresh("send") };
    await bob.transferPreapprovalSend({ body });
  }
  const expiresAt = BigInt(scene.inTime(24n * HOUR)) as Time;
  const delegation = { beneficiary, delegate, dso, expiresAt, amuletMergeLimit: 1n };
  return once(() => scene.submit([beneficiary, delegate], create(MintingDelegation, delegation)));
};

/** A party of another participant proposes a preapproval that the operator would pay for. */
const proposeElsewhere: Step = async (scene) => {
  const receiver = (await scene.network.party("app-provider")) as PartyId;
  const proposal = {
    receiver,
    provider: scene.validator.operator as PartyId,
    expectedDso: await scene.dso(),
  };
  const commands = [create(TransferPreapprovalProposal, proposal)];
  const body = { commandId: fresh("proposal"), userId: SERVICE_USER, actAs: [receiver], commands };
  return once(() => scene.network.ledger("app-provider").submitAndWait({ body }));
};

/** Months pass: names and preapprovals are renewed, requests and the choice of a primary name expire. */
export const passMonths: Step = async (scene) => {
  await scene.endRenewals();
  await scene.buyName();
  const user = await scene.party("bob");
  const expiresAt = BigInt(scene.inTime(HOUR)) as Time;
  const lapsed = { dso: await scene.dso(), user, name: "lapsed.unverified.cns", expiresAt };
  await scene.submit([user], create(PrimaryName, lapsed));
  await scene.preapprovedGuest();
  await scene.offer();
  await scene.askForPayment();
  await scene.proposeDelegation();
  return once(() => scene.network.net.moveClock(61n * DAY));
};

/** A round passes: liveness is recorded, rewards are minted. */
export const passRound: Step = async (scene) => once(() => scene.network.net.moveClock(TICK));

/** Changes a primary name that is there already. */
const changePrimaryName: Step = by(async (scene) => {
  const [former, next] = [await scene.buyName(), await scene.buyName()];
  await (await scene.as("bob")).setPrimaryName({ body: { name: former.name } });
  return (bob) => bob.setPrimaryName({ body: { name: next.name } });
});

/** Steps of the automations, and a second way of an operation, by the words that begin the name of their test. */
export const AUTOMATION_STEPS: Readonly<Record<string, Step>> = {
  "a primary name that replaces another": changePrimaryName,
  "an automation that follows a wallet installed by another": installElsewhere,
  "an automation that mints for a party without a wallet": delegateElsewhere,
  "an automation that leaves a stranger's proposal alone": proposeElsewhere,
  "a sweep by an offer, which is accepted automatically,": sweep(false),
  "a sweep by preapproval": sweep(true),
};

/** Work that is not repeated after a crash, such as a move of the clock. */
function once(work: () => Promise<unknown>): Call {
  let isDone = false;
  return async () => {
    if (isDone) return;
    isDone = true;
    await work();
  };
}
