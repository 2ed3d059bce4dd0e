/** A participant member with one user: what a wallet submits, one entry a call. */
import {
  Amulet,
  type AmuletOperation,
  AmuletRules,
  AnsEntryContext,
  AnsRules,
  type Command,
  type ContractId,
  createCommand,
  type Decimal,
  exerciseCommand,
  LockedAmulet,
  OpenMiningRound,
  type Outcome,
  type PartyId,
  parseDecimal,
  SubscriptionIdleState,
  SubscriptionRequest,
  sum,
  TerminatedSubscription,
  type TransferInput,
  WalletAppInstall,
} from "../../packages/ledger/src/index.ts";
import type { MemberIdentity } from "../../packages/node/src/identity/member-identity.ts";
import { identityNamed, type SvNetwork } from "./sv-network.ts";

export function decimal(text: string): Decimal {
  const parsed = parseDecimal(text);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
}

export class Wallet {
  readonly network: SvNetwork;
  readonly identity: MemberIdentity;
  /** The validator's own party, and its user's. */
  readonly operator: PartyId;
  readonly party: PartyId;
  readonly #name: string;
  #install: ContractId | null = null;
  #ids = 0;

  private constructor(network: SvNetwork, name: string) {
    this.network = network;
    this.#name = name;
    this.identity = identityNamed(`${name}-validator`);
    this.operator = `${name}-operator::${this.identity.namespace}` as PartyId;
    this.party = `${name}::${this.identity.namespace}` as PartyId;
  }

  static async open(network: SvNetwork, name: string): Promise<Wallet> {
    const wallet = new Wallet(network, name);
    await wallet.#begin();
    return wallet;
  }

  async #begin(): Promise<void> {
    const { network } = this;
    const { id, nodeIdentifier, namespaceKey, signingKey } = this.identity;
    const keys = { namespaceKey: namespaceKey.publicKey, signingKeys: [signingKey.publicKey] };
    await network.append({ tag: "RegisterMember", value: { ...network.once(id), nodeIdentifier, ...keys } }, [
      namespaceKey,
      signingKey,
    ]);
    for (const party of [this.operator, this.party]) {
      const value = { ...network.once(id), party, hosts: [id], serial: 1n };
      await network.append({ tag: "HostParty", value }, [signingKey]);
    }
    const made = await this.submit(
      [this.party, this.operator],
      [
        createCommand(WalletAppInstall, {
          dsoParty: network.dso,
          validatorParty: this.operator,
          endUserName: this.#name,
          endUserParty: this.party,
        }),
      ],
    );
    this.#install = made.created[0]?.contract.contractId ?? null;
  }

  coins() {
    return this.network.active(Amulet).filter(({ payload }) => payload.owner === this.party);
  }

  balance(): Decimal {
    return sum(this.coins().map(({ payload }) => payload.amount.initialAmount));
  }

  locked(): Decimal {
    const mine = this.network
      .active(LockedAmulet)
      .filter(({ payload }) => payload.amulet.owner === this.party);
    return sum(mine.map(({ payload }) => payload.amulet.amount.initialAmount));
  }

  tap(amount: string): Promise<Outcome> {
    return this.#batch([{ tag: "CO_Tap", value: { tapAmount: decimal(amount) } }], []);
  }

  async request(name: string, more: { url?: string; description?: string } = {}): Promise<ContractId> {
    const rules = this.network.only(AnsRules).contractId;
    const argument = { name, url: "", description: "", ...more, user: this.party };
    const command = exerciseCommand(AnsRules, rules, "AnsRules_RequestEntry", argument);
    const { created } = await this.submit([this.party], [command], [rules]);
    const request = created.find(({ contract }) => contract.templateId === SubscriptionRequest.id);
    if (request === undefined) throw new Error(`${name} could not be requested`);
    return request.contract.contractId;
  }

  accept(request: ContractId): Promise<Outcome> {
    return this.#batch([{ tag: "CO_SubscriptionAcceptAndMakeInitialPayment", value: request }]);
  }

  /** Requests and pays; the SVs do the rest. */
  async buy(name: string, more: { url?: string; description?: string } = {}): Promise<Outcome> {
    return this.accept(await this.request(name, more));
  }

  idleState() {
    return this.network
      .active(SubscriptionIdleState)
      .find(({ payload }) => payload.subscriptionData.sender === this.party);
  }

  payRenewal(): Promise<Outcome> {
    const idle = this.idleState();
    if (idle === undefined) throw new Error("no subscription is idle");
    return this.#batch([{ tag: "CO_SubscriptionMakePayment", value: idle.contractId }]);
  }

  cancel(): Promise<Outcome> {
    const idle = this.idleState();
    if (idle === undefined) throw new Error("no subscription is idle");
    const choice = "WalletAppInstall_SubscriptionIdleState_CancelSubscription";
    return this.#asOperator([
      exerciseCommand(WalletAppInstall, this.#wallet(), choice, { cid: idle.contractId }),
    ]);
  }

  /** With a tombstone that the user alone has signed, the user may end the user's own context. */
  async endOwnContext(): Promise<Outcome> {
    const { contractId, payload } = this.network.only(AnsEntryContext);
    const { party } = this;
    const subscriptionData = { sender: party, receiver: party, provider: party, dso: party, description: "" };
    const { reference } = payload;
    const forged = await this.submit(
      [party],
      [createCommand(TerminatedSubscription, { subscriptionData, reference })],
    );
    const terminatedSubscriptionCid = forged.created[0]?.contract.contractId as ContractId;
    const argument = { actor: party, terminatedSubscriptionCid };
    return this.submit(
      [party],
      [exerciseCommand(AnsEntryContext, contractId, "AnsEntryContext_Terminate", argument)],
    );
  }

  /** Takes coin out of a lock that has run out. */
  takeOut(): Promise<Outcome> {
    const locked = this.network
      .active(LockedAmulet)
      .find(({ payload }) => payload.amulet.owner === this.party);
    if (locked === undefined) throw new Error("no coin is locked");
    const choice = "LockedAmulet_OwnerExpireLockV2";
    return this.submit([this.party], [exerciseCommand(LockedAmulet, locked.contractId, choice, {})]);
  }

  rejectRequest(cid: ContractId): Promise<Outcome> {
    const choice = "WalletAppInstall_SubscriptionRequest_Reject";
    return this.#asOperator([exerciseCommand(WalletAppInstall, this.#wallet(), choice, { cid })]);
  }

  async submit(
    actAs: readonly PartyId[],
    commands: readonly Command[],
    disclose: readonly ContractId[] = [],
    readAs: readonly PartyId[] = [],
  ): Promise<Outcome> {
    const { network, identity } = this;
    const outcome = await network.append(
      {
        tag: "Submit",
        value: {
          ...network.once(identity.id),
          userId: "wallet",
          commandId: `command-${this.#ids++}`,
          workflowId: "",
          actAs,
          readAs,
          deduplicateFrom: null,
          minLedgerTime: null,
          commands,
          disclosed: disclose.map((contractId) => ({ contractId, blobHash: network.blobHash(contractId) })),
        },
      },
      [identity.signingKey],
    );
    if (outcome.verdict.kind !== "accepted") throw new Error(JSON.stringify(outcome.verdict, bigints));
    return outcome;
  }

  #batch(
    operations: readonly AmuletOperation[],
    inputs: readonly TransferInput[] = this.coins().map(({ contractId }) => ({
      tag: "InputAmulet",
      value: contractId,
    })),
  ): Promise<Outcome> {
    const { network } = this;
    const amuletRules = network.only(AmuletRules).contractId;
    const rounds = network
      .active(OpenMiningRound)
      .filter(({ payload }) => payload.opensAt <= network.now)
      .sort((a, b) => Number(b.payload.round.number - a.payload.round.number));
    const openMiningRound = rounds[0]?.contractId;
    if (openMiningRound === undefined) throw new Error("no round is open");
    const context = {
      amuletRules,
      context: { openMiningRound, issuingMiningRounds: [], validatorRights: [], featuredAppRight: null },
    };
    const argument = { context, inputs, operations };
    return this.#asOperator(
      [exerciseCommand(WalletAppInstall, this.#wallet(), "WalletAppInstall_ExecuteBatch", argument)],
      [amuletRules, openMiningRound],
    );
  }

  #asOperator(commands: readonly Command[], disclose: readonly ContractId[] = []): Promise<Outcome> {
    return this.submit([this.operator], commands, disclose, [this.party]);
  }

  #wallet(): ContractId {
    if (this.#install === null) throw new Error("the wallet is not installed");
    return this.#install;
  }
}

function bigints(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
