/**
 * How a wallet changes the ledger. A command whose inputs were used up in the meantime is made again from fresh
 * ones, a few times; what other inputs cannot mend is answered at once. All tries of one operation have one command
 * id, so that the ledger takes one of them at most, and where none was answered for certain, that is told. When a
 * change has been answered, the validator's own copy of the ledger shows it.
 */
import { randomUUID } from "node:crypto";
import { type Command, type DisclosedContract, spliceError, type Transaction } from "@callsign/api";
import {
  type AmuletOperation,
  type AnyTemplateDeclaration,
  type ContractId,
  type PartyId,
  parseContractId,
  type Time,
  WalletAppInstall,
} from "@callsign/ledger";
import { Refusal } from "@callsign/node";
import type { LedgerFollower } from "../follower/ledger-follower.ts";
import { exercise } from "../ledger/commands.ts";
import type { LedgerClock } from "../ledger/ledger-clock.ts";
import { isContention, MayStillHappen, refusalOf } from "../ledger/ledger-refusal.ts";
import { type ParticipantClient, SUBMIT_MILLISECONDS } from "../ledger/participant-client.ts";
import { isUncertain, ledgerErrorOf, UncertainOutcome } from "../ledger/submission-outcome.ts";
import { findKind } from "../ledger/wallet-contracts.ts";
import type { CoinContext, NetworkFacts } from "../scans/network-facts.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import { pause } from "../waiting/pause.ts";
import { type CoinInputs, gatherInputs, noInputs } from "./coin-inputs.ts";
import type { Asker, Treasury } from "./treasury.ts";
import type { Wallet } from "./wallet.ts";

export interface WalletLedgerParts {
  readonly participant: ParticipantClient;
  readonly follower: LedgerFollower;
  readonly store: WalletStore;
  readonly facts: NetworkFacts;
  readonly clock: LedgerClock;
  readonly treasury: Treasury;
  readonly operatorParty: PartyId;
}

/** What is submitted in one try. Made anew for the next, from what the ledger says then. */
export interface CommandBatch {
  readonly commands: readonly Command[];
  readonly disclosed?: readonly DisclosedContract[];
  /** Besides those that every try reads as. */
  readonly readAs?: readonly PartyId[];
  readonly notBefore?: Time;
}

/** Made at each try, and may refuse: what it is about may be gone by then. */
export interface CoinOperation {
  readonly operation: AmuletOperation;
  /** From when the ledger lets it happen. */
  readonly notBefore?: Time;
}

export interface CommandIdentity {
  readonly commandId: string;
  readonly deduplicationSeconds?: number;
}

export interface OperationOptions {
  readonly identity?: CommandIdentity;
  /** A user, unless an automation. */
  readonly asker?: Asker;
}

const MAX_ATTEMPTS = 6;
const FIRST_PAUSE = 50;
const INGESTION_MILLISECONDS = 5000;

export class WalletLedger {
  readonly #parts: WalletLedgerParts;

  constructor(parts: WalletLedgerParts) {
    this.#parts = parts;
  }

  /** As the validator's operator, for itself. */
  submitAsOperator(attempt: () => Promise<CommandBatch>, identity?: CommandIdentity): Promise<Transaction> {
    return this.#submit({ actAs: [this.#parts.operatorParty], readAs: [] }, attempt, identity);
  }

  /** As the user and the operator together. */
  submitAsBoth(
    party: PartyId,
    attempt: () => Promise<CommandBatch>,
    identity?: CommandIdentity,
  ): Promise<Transaction> {
    return this.#submit({ actAs: [this.#parts.operatorParty, party], readAs: [] }, attempt, identity);
  }

  /** As the user. */
  submitAsUser(
    { party }: Wallet,
    attempt: () => Promise<CommandBatch>,
    identity?: CommandIdentity,
  ): Promise<Transaction> {
    return this.#submit({ actAs: [party], readAs: [] }, attempt, identity);
  }

  /** As the validator, for the user: what the install contract lets it do. */
  submitAsValidator(
    { party }: Wallet,
    attempt: () => Promise<CommandBatch>,
    identity?: CommandIdentity,
  ): Promise<Transaction> {
    return this.#submit({ actAs: [this.#parts.operatorParty], readAs: [party] }, attempt, identity);
  }

  /**
   * One operation on the wallet's coin, in its turn. Inputs are coins and due rewards, up to as many as the rules
   * allow, so that every payment also merges and mints; a tap takes none.
   */
  runOperation(
    wallet: Wallet,
    makeOperation: (context: CoinContext, inputs: CoinInputs) => Promise<CoinOperation>,
    { identity, asker }: OperationOptions = {},
  ): Promise<Transaction> {
    const { treasury } = this.#parts;
    const attempt = () => this.#makeBatch(wallet, makeOperation);
    return treasury.run(wallet.party, () => this.submitAsValidator(wallet, attempt, identity), asker);
  }

  async #makeBatch(
    { party, install }: Wallet,
    makeOperation: (context: CoinContext, inputs: CoinInputs) => Promise<CoinOperation>,
  ): Promise<CommandBatch> {
    const { facts, clock } = this.#parts;
    const context = await facts.coinContext();
    const gathered = await gatherInputs(this.#parts, party, context, clock.now);
    const { operation, notBefore = context.roundOpensAt } = await makeOperation(context, gathered);
    const given = operation.tag === "CO_Tap" ? noInputs(context) : gathered;
    const argument = { context: given.context, inputs: given.inputs, operations: [operation] };
    return {
      commands: [exercise(WalletAppInstall, install, "WalletAppInstall_ExecuteBatch", argument)],
      disclosed: given.disclosed,
      readAs: given.readAs,
      // A participant may not have heard yet that the network's clock was moved.
      notBefore: notBefore > given.notBefore ? notBefore : given.notBefore,
    };
  }

  /** Refuses unless the copy shows what the participant knows now: before what must not be done twice. */
  async requireCopy(): Promise<void> {
    if ((await this.#catchUp()) && !this.#parts.follower.isRebuilding) return;
    throw notWhole();
  }

  async #submit(
    parties: { readonly actAs: readonly PartyId[]; readonly readAs: readonly PartyId[] },
    makeAttempt: () => Promise<CommandBatch>,
    identity: CommandIdentity = { commandId: randomUUID() },
  ): Promise<Transaction> {
    const { participant, follower, facts } = this.#parts;
    const until = performance.now() + SUBMIT_MILLISECONDS;
    const once = { ...parties, ...identity, after: follower.offset, until };
    let isRepeated = false;
    for (let attempt = 1; ; attempt++) {
      try {
        if (follower.isRebuilding) throw notWhole();
        const made = await makeAttempt();
        const readAs = [...parties.readAs, ...(made.readAs ?? [])];
        const transaction = await participant.submit({ ...once, ...made, readAs, isRepeated });
        await follower.waitFor(transaction.offset, INGESTION_MILLISECONDS);
        return transaction;
      } catch (error) {
        isRepeated ||= error instanceof UncertainOutcome;
        const isOver = attempt === MAX_ATTEMPTS || performance.now() >= until;
        if (isOver || !mayFreshInputsHelp(error))
          throw isRepeated ? new MayStillHappen(error) : refusalOf(error);
      }
      facts.drop();
      await this.#catchUp().catch((error) => {
        throw isRepeated ? new MayStillHappen(error) : error;
      });
      await pause(FIRST_PAUSE * attempt);
    }
  }

  /** Whether the copy shows what the ledger was a moment ago, so that the next try uses what is left. */
  async #catchUp(): Promise<boolean> {
    try {
      return await this.#parts.follower.catchUp(INGESTION_MILLISECONDS);
    } catch (error) {
      throw refusalOf(error);
    }
  }
}

function notWhole(): Refusal {
  const text = "The validator has not read all of the ledger, so it cannot tell what was done already";
  return new Refusal(spliceError(503, `${text}: try again in a few seconds.`));
}

/** Where even the last sending is uncertain, it was sent again often enough. */
function mayFreshInputsHelp(error: unknown): boolean {
  const last = error instanceof UncertainOutcome ? error.cause : error;
  const body = isUncertain(last) ? undefined : ledgerErrorOf(last);
  return body !== undefined && isContention(body);
}

/** The contract of that template which the transaction created. */
export function getCreated(transaction: Transaction, template: AnyTemplateDeclaration): ContractId {
  for (const event of transaction.events) {
    if (!("CreatedEvent" in event)) continue;
    const { templateId, contractId } = event.CreatedEvent;
    const id = findKind(templateId)?.template === template ? parseContractId(contractId) : undefined;
    if (id?.ok === true) return id.value;
  }
  throw new Error(`${transaction.updateId} created no ${template.entity}`);
}

/** 404, in words that name what was asked for. */
export function notFound(what: string, given: string): Refusal {
  return new Refusal(
    spliceError(404, `No ${what} of this wallet has the contract id ${given.slice(0, 260)}.`),
  );
}
