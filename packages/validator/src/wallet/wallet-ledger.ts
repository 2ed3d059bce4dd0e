/**
 * Submits a wallet's changes. A command whose inputs were used up is made again from fresh ones, a few times; a failure
 * that other inputs cannot mend is thrown at once. All attempts at an operation share one command id, so that the
 * ledger accepts one of them at most; without a definite answer the caller is told so. When a change has been answered,
 * the copy of the ledger shows it.
 */
import type { DisclosedContract, Transaction } from "@callsign/api";
import {
  type AmuletOperation,
  type AnyTemplateDeclaration,
  type ContractId,
  type PartyId,
  parseContractId,
  type Time,
  WalletAppInstall,
} from "@callsign/ledger";
import { type Host, sleep } from "@callsign/node";
import { ValidatorError } from "../errors/validator-error.ts";
import type { LedgerFollower } from "../follower/ledger-follower.ts";
import { exercise } from "../ledger/commands.ts";
import type { LedgerClock } from "../ledger/ledger-clock.ts";
import type { ParticipantClient, Submission } from "../ledger/participant-client.ts";
import { isContention, outcomeUnknown, toValidatorError } from "../ledger/participant-errors.ts";
import { isUncertain, ledgerErrorOf, UncertainOutcome } from "../ledger/submission-outcome.ts";
import { findWalletKind } from "../ledger/wallet-contracts.ts";
import {
  ATTEMPT_PAUSE_MILLISECONDS,
  INGESTION_MILLISECONDS,
  MAX_ATTEMPTS,
  SUBMIT_MILLISECONDS,
} from "../limits/limits.ts";
import type { CoinContext, NetworkFacts } from "../scans/network-facts.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import { type CoinInputs, gatherInputs, noInputs } from "./coin-inputs.ts";
import type { TrafficReserve } from "./traffic-reserve.ts";
import type { Asker, Treasury } from "./treasury.ts";
import type { Wallet } from "./wallet.ts";

export interface WalletLedgerParts {
  readonly participant: ParticipantClient;
  readonly follower: LedgerFollower;
  readonly store: WalletStore;
  readonly facts: NetworkFacts;
  readonly clock: LedgerClock;
  readonly treasury: Treasury;
  readonly reserve: TrafficReserve;
  readonly host: Host;
  readonly operatorParty: PartyId;
}

/** The parts of a wallet's use cases. */
export interface WalletParts extends WalletLedgerParts {
  readonly ledger: WalletLedger;
}

/** The ledger shows that nothing is left to do. */
export type Stale = "stale";

/** The commands of one attempt, made from the ledger's present state; `readAs` besides the wallet's party. */
export type CommandBatch = Pick<Submission, "commands" | "disclosed" | "readAs" | "notBefore">;

/** An operation on coin, made anew at each attempt. */
export interface CoinOperation {
  readonly operation: AmuletOperation;
  /** The ledger accepts it from this time on. */
  readonly notBefore?: Time;
  /** Contracts that the operation names and the wallet does not see. */
  readonly disclosed?: readonly DisclosedContract[];
}

/** Only top-ups, and the rewards that pay for them, may use the traffic that is kept in reserve. */
export type Priority = "high" | "low";

export interface CommandIdentity
  extends Partial<Pick<Submission, "commandId" | "deduplicationSeconds" | "deduplicationOffset">> {
  /** The priority; low if omitted. */
  readonly priority?: Priority;
}

export interface OperationOptions {
  readonly identity?: Omit<CommandIdentity, "priority">;
  readonly priority?: Priority;
  /** A user or an automation; a user if omitted. */
  readonly asker?: Asker;
}

/** A transaction, or `stale` if the attempts can be. */
type Submitted<T> = Promise<Transaction | Extract<T, Stale>>;
export type MakeOperation<T> = (context: CoinContext, inputs: CoinInputs) => Promise<T>;

export class WalletLedger {
  readonly #parts: WalletLedgerParts;

  constructor(parts: WalletLedgerParts) {
    this.#parts = parts;
  }

  /**
   * Runs an operation on the wallet's coin, in its turn. Inputs are coins and due rewards, up to as many as the rules
   * allow, so that every payment also merges and mints; a tap takes none.
   */
  runOperation<T extends CoinOperation | Stale>(
    wallet: Wallet,
    makeOperation: MakeOperation<T>,
    { identity, asker, priority = "low" }: OperationOptions = {},
  ): Submitted<T> {
    const { treasury } = this.#parts;
    const makeBatch = () => this.#makeBatch(wallet, makeOperation);
    return treasury.run(
      wallet.party,
      () => this.submitAs("operator", wallet.party, makeBatch, { ...identity, priority }),
      asker,
    );
  }

  async #makeBatch<T extends CoinOperation | Stale>(
    { party, install }: Wallet,
    makeOperation: MakeOperation<T>,
  ): Promise<CommandBatch | Extract<T, Stale>> {
    const { facts, clock } = this.#parts;
    const context = await facts.coinContext();
    const gathered = await gatherInputs(this.#parts, party, context, clock.now);
    const made = await makeOperation(context, gathered);
    if (made === "stale") return made as Extract<T, Stale>;
    const { operation, notBefore = context.roundOpensAt, disclosed = [] } = made;
    const given = operation.tag === "CO_Tap" ? noInputs(context) : gathered;
    const argument = { context: given.context, inputs: given.inputs, operations: [operation] };
    return {
      commands: [exercise(WalletAppInstall, install, "WalletAppInstall_ExecuteBatch", argument)],
      disclosed: [...given.disclosed, ...disclosed],
      readAs: given.readAs,
      // A participant may lag behind a network's clock that was moved.
      notBefore: notBefore > given.notBefore ? notBefore : given.notBefore,
    };
  }

  /** Throws unless the copy of the ledger has caught up. Call before work that must not be done twice. */
  async requireCopy(): Promise<void> {
    if ((await this.#catchUp()) && !this.#parts.follower.isRebuilding) return;
    throw new ValidatorError({ kind: "copy-incomplete" });
  }

  /** Submits as the user, as both, or as the operator by the choices of the user's install contract. */
  async submitAs<T extends CommandBatch | Stale>(
    submitter: "user" | "operator" | "both",
    party: PartyId,
    makeBatch: () => Promise<T>,
    { priority = "low", ...identity }: CommandIdentity = {},
  ): Submitted<T> {
    if (priority === "low") await this.#parts.reserve.require();
    const { participant, follower, facts, host, operatorParty } = this.#parts;
    const { clock, randomness, timers } = host;
    const actAs = { user: [party], operator: [operatorParty], both: [operatorParty, party] }[submitter];
    const until = clock.elapsedMilliseconds() + SUBMIT_MILLISECONDS;
    const once = { commandId: randomness.uuid(), ...identity, actAs, after: follower.offset, until };
    let isRepeated = false;
    for (let attempt = 1; ; attempt++) {
      try {
        if (follower.isRebuilding) throw new ValidatorError({ kind: "copy-incomplete" });
        const batch = await makeBatch();
        if (batch === "stale") return batch as Extract<T, Stale>;
        const readAs = [party, ...(batch.readAs ?? [])];
        const transaction = await participant.submit({ ...once, ...batch, readAs, isRepeated });
        await follower.waitFor(transaction.offset, INGESTION_MILLISECONDS);
        return transaction;
      } catch (error) {
        isRepeated ||= error instanceof UncertainOutcome;
        const isOver = attempt === MAX_ATTEMPTS || clock.elapsedMilliseconds() >= until;
        if (isOver || !mayFreshInputsHelp(error))
          throw isRepeated ? outcomeUnknown(error) : toValidatorError(error);
      }
      facts.drop();
      await this.#catchUp().catch((error) => {
        throw isRepeated ? outcomeUnknown(error) : error;
      });
      await sleep(ATTEMPT_PAUSE_MILLISECONDS * attempt, { timers });
    }
  }

  /** Lets the copy catch up, so that the next attempt uses contracts that are still there. */
  async #catchUp(): Promise<boolean> {
    try {
      return await this.#parts.follower.catchUp(INGESTION_MILLISECONDS);
    } catch (error) {
      throw toValidatorError(error);
    }
  }
}

/** If even the last sending is uncertain, the command was sent often enough. */
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
    const id = findWalletKind(templateId)?.template === template ? parseContractId(contractId) : undefined;
    if (id?.ok === true) return id.value;
  }
  throw new Error(`${transaction.updateId} created no ${template.entity}`);
}
