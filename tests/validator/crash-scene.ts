/** The people on a validator that crashes, and the contracts that they prepare for a step: Bob, Carol, guests, and the operator. */
import { randomUUID } from "node:crypto";
import type { Command } from "@callsign/api";
import {
  AppPaymentRequest,
  MintingDelegation,
  MintingDelegationProposal,
  type PartyId,
  type PayloadOf,
  type Time,
  TransferPreapprovalProposal,
} from "@callsign/ledger";
import { HOUR } from "../../packages/ledger/src/values/duration.ts";
import { SERVICE_USER } from "../../packages/localnet/src/tokens.ts";
import { create } from "../../packages/validator/src/ledger/commands.ts";
import { fresh } from "../support/fresh.ts";
import { type LocalNetwork, TICK } from "../support/local-network.ts";
import type { CrashingValidator } from "./crashing-validator.ts";
import type { LedgerWorld } from "./ledger-world.ts";

const UNIT = 10_000_000_000n;

export class CrashScene {
  readonly network: LocalNetwork;
  readonly validator: CrashingValidator;
  readonly #world: LedgerWorld;
  readonly #parties = new Map<string, PartyId>();

  constructor(network: LocalNetwork, validator: CrashingValidator, world: LedgerWorld) {
    this.network = network;
    this.validator = validator;
    this.#world = world;
  }

  /** A client of a user, on the instance that runs now. */
  as(user: string) {
    return this.validator.as(user);
  }

  async party(user: string): Promise<PartyId> {
    const known = this.#parties.get(user);
    if (known !== undefined) return known;
    const party = (await (await this.as(user)).userStatus()).party_id as PartyId;
    this.#parties.set(user, party);
    return party;
  }

  async dso(): Promise<PartyId> {
    return (await (await this.as("bob")).scanProxyGetDsoPartyId()).dso_party_id as PartyId;
  }

  inTime(microseconds: bigint): number {
    return Number(this.network.net.now() + microseconds);
  }

  /** Submits at the participant, without the validator. */
  async submit(actAs: readonly string[], ...commands: readonly Command[]): Promise<void> {
    await this.#world.ledger.client.submitAndWait({
      body: {
        ...{ commandId: randomUUID(), userId: SERVICE_USER },
        ...{ actAs: [...actAs], readAs: [], commands: [...commands] },
      },
    });
    await this.validator.idle();
  }

  /** A name that Bob asks for, with the request to pay. */
  async askForName(): Promise<{ readonly name: string; readonly request: string }> {
    const body = { name: fresh("name"), url: "", description: "" };
    const { name, subscriptionRequestCid: request } = await (await this.as("bob")).createAnsEntry({ body });
    return { name, request };
  }

  async requestName(): Promise<string> {
    return (await this.askForName()).request;
  }

  /** A name that Bob has bought, and its subscription. */
  async buyName(): Promise<{ readonly name: string; readonly subscription: string; readonly idle: string }> {
    const bob = await this.as("bob");
    const known = new Set((await bob.listSubscriptions()).subscriptions.map(idOf));
    const { name, request: contract_id } = await this.askForName();
    await bob.acceptSubscriptionRequest({ params: { contract_id } });
    await this.validator.quiet();
    const made = (await bob.listSubscriptions()).subscriptions.find((each) => !known.has(idOf(each)));
    if (made === undefined || !("idle" in made.state)) throw new Error("the name was not bought");
    return { name, subscription: idOf(made), idle: made.state.idle.contract_id };
  }

  /** An offer of Bob's to Carol. */
  async offer(): Promise<{ readonly params: { readonly contract_id: string } }> {
    const { offer_contract_id } = await (await this.as("bob")).createTransferOffer({
      body: await this.offerTerms(),
    });
    return { params: { contract_id: offer_contract_id } };
  }

  async offerTerms() {
    return {
      receiver_party_id: await this.party("carol"),
      ...{ amount: "1.5", description: "", tracking_id: fresh("offer") },
      expires_at: this.inTime(HOUR),
    };
  }

  /** A transfer of Bob's by the token standard that waits for Carol. */
  async offerTokens(): Promise<{ readonly params: { readonly contract_id: string } }> {
    const body = await this.offerTerms();
    const { output } = await (await this.as("bob")).createTokenStandardTransfer({ body });
    return {
      params: { contract_id: "transfer_instruction_cid" in output ? output.transfer_instruction_cid : "" },
    };
  }

  async allocationTerms() {
    const carol = await this.party("carol");
    return {
      settlement: {
        ...{ executor: carol, settlement_ref: { id: fresh("settlement") }, requested_at: this.inTime(0n) },
        ...{ allocate_before: this.inTime(HOUR), settle_before: this.inTime(2n * HOUR) },
      },
      ...{ transfer_leg_id: "leg", transfer_leg: { receiver: carol, amount: "1.5" } },
    };
  }

  /** A payment that the operator asks Bob for. */
  async askForPayment(): Promise<{ readonly params: { readonly contract_id: string } }> {
    const [bob, operator, dso] = [await this.party("bob"), this.validator.operator, await this.dso()];
    const request = {
      sender: bob,
      receiverAmounts: [{ receiver: operator, amount: { amount: 3n * UNIT, unit: "AmuletUnit" } }],
      ...{ provider: operator, dso, expiresAt: this.inTime(HOUR), description: "" },
    } as unknown as PayloadOf<typeof AppPaymentRequest>;
    await this.submit(
      [bob, operator],
      create(AppPaymentRequest, { ...request, expiresAt: BigInt(request.expiresAt) as Time }),
    );
    const { payment_requests } = await (await this.as("bob")).listAppPaymentRequests();
    return { params: { contract_id: payment_requests.at(-1)?.contract.contract_id ?? "" } };
  }

  /** The terms by which Bob mints for Carol. */
  async #delegation() {
    const [delegate, beneficiary, dso] = [
      await this.party("bob"),
      await this.party("carol"),
      await this.dso(),
    ];
    const expiresAt = BigInt(this.inTime(HOUR)) as Time;
    return { beneficiary, delegate, dso, expiresAt, amuletMergeLimit: 10n };
  }

  async proposeDelegation(): Promise<{ readonly params: { readonly contract_id: string } }> {
    const delegation = await this.#delegation();
    await this.submit([delegation.beneficiary], create(MintingDelegationProposal, { delegation }));
    const { proposals } = await (await this.as("bob")).listMintingDelegationProposals();
    return { params: { contract_id: proposals.at(-1)?.contract.contract_id ?? "" } };
  }

  async delegate(): Promise<{ readonly params: { readonly contract_id: string } }> {
    const delegation = await this.#delegation();
    const parties = [delegation.beneficiary, delegation.delegate];
    await this.submit(parties, create(MintingDelegation, delegation));
    const { delegations } = await (await this.as("bob")).listMintingDelegations();
    return { params: { contract_id: delegations.at(-1)?.contract.contract_id ?? "" } };
  }

  /** A coupon of the development fund that Bob gives to Carol. */
  async fundCoupon() {
    const beneficiary = await this.party("carol");
    return { body: { beneficiary, amount: "1.0", expiresAt: this.inTime(HOUR), reason: fresh("reason") } };
  }

  /** A guest of the validator, with a wallet and a party of its own. */
  async guest(): Promise<{ readonly user: string; readonly party: string }> {
    const user = fresh("guest");
    await (await this.as(user)).register();
    return { user, party: await this.party(user) };
  }

  async preapprovedGuest(): Promise<string> {
    const { user, party } = await this.guest();
    await (await this.as(user)).createTransferPreapproval();
    return party;
  }

  /** Ends all renewals, so that only contracts of the step itself fall due in it. */
  async endRenewals(): Promise<void> {
    const [bob, operator] = [await this.as("bob"), await this.as(SERVICE_USER)];
    for (const { state } of (await bob.listSubscriptions()).subscriptions)
      if ("idle" in state)
        await bob.cancelSubscriptionRequest({ params: { contract_id: state.idle.contract_id } });
    for (const { contract } of (await operator.listTransferPreapprovals()).contracts) {
      const receiver = String(contract.payload["receiver"]);
      await operator.cancelTransferPreapprovalByParty({ params: { "receiver-party": receiver } });
    }
    await this.validator.quiet();
  }

  /** A party without a wallet, as which the administrator may act. */
  async allocateParty(): Promise<PartyId> {
    const { client, userId } = this.#world.ledger;
    const { partyDetails } = await client.allocateParty({ body: { partyIdHint: fresh("guest") } });
    const { party } = partyDetails;
    const rights = [{ kind: { CanActAs: { value: { party } } } }];
    await client.grantUserRights({ params: { "user-id": userId }, body: { userId, rights } });
    return party as PartyId;
  }

  /** A party without a wallet, whose preapproval proposal the operator has accepted. */
  async preapprovedParty(): Promise<PartyId> {
    const receiver = await this.allocateParty();
    const proposal = {
      receiver,
      provider: this.validator.operator as PartyId,
      expectedDso: await this.dso(),
    };
    await this.submit([receiver], create(TransferPreapprovalProposal, proposal));
    await this.validator.quiet();
    return receiver;
  }

  /** The SVs vote for Bob as the manager of the development fund, and rounds fill it. */
  async openFund(): Promise<void> {
    const { contract } = (await (await this.as("bob")).scanProxyGetAmuletRules()).amulet_rules;
    const { configSchedule } = contract.payload as unknown as { configSchedule: { initialValue: object } };
    const baseConfig = configSchedule.initialValue;
    const newConfig = { ...baseConfig, optDevelopmentFundManager: await this.party("bob") };
    const amuletRulesAction = { tag: "CRARC_SetConfig", value: { newConfig, baseConfig } };
    const action = { tag: "ARC_AmuletRules", value: { amuletRulesAction } } as never;
    const [first, ...others] = [1, 2, 3].map((number) => this.network.sv(number));
    if (first === undefined) throw new Error("there is no SV");
    const { sv_party_id: requester } = await first.getDsoInfo();
    const terms = { url: "", description: "", expiration: { microseconds: String(HOUR) } };
    await first.createVoteRequest({ body: { requester, action, ...terms } });
    await this.network.settle();
    const [request] = (await first.listDsoRulesVoteRequests()).dso_rules_vote_requests;
    const vote = { vote_request_contract_id: request?.contract_id ?? "", is_accepted: true };
    for (const sv of others) await sv.castVote({ body: { ...vote, reason_url: "", reason_description: "" } });
    await this.network.settle();
    await this.passRounds();
  }

  async pass(microseconds: bigint): Promise<void> {
    await this.network.net.moveClock(microseconds);
    await this.validator.quiet();
  }

  /** Passes rounds until each brings the same rewards. */
  async passRounds(): Promise<void> {
    for (let round = 0; round < 4; round++) await this.pass(TICK);
  }
}

const idOf = ({ subscription }: { readonly subscription: { readonly contract_id: string } }) =>
  subscription.contract_id;
