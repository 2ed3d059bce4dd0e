/**
 * How a wallet changes the ledger. A command whose inputs were used up in the meantime is made again from fresh
 * ones, a few times; what other inputs cannot mend is answered at once. When a change has been answered, the
 * validator's own copy of the ledger shows it.
 */
import { type Command, type DisclosedContract, spliceError, type Transaction } from "@callsign/api";
import {
  Amulet,
  type AmuletOperation,
  type AnyTemplateDeclaration,
  type ContractId,
  type PartyId,
  parseContractId,
  type Time,
  WalletAppInstall,
} from "@callsign/ledger";
import { Refusal } from "../../http/refusal.ts";
import { exercise } from "../ledger/commands.ts";
import type { LedgerFollower } from "../ledger/ledger-follower.ts";
import { isContention, refusalOf } from "../ledger/ledger-refusal.ts";
import { ledgerErrorOf, type Participant } from "../ledger/participant.ts";
import { findKind } from "../ledger/wallet-contracts.ts";
import { MAX_COINS, type WalletStore } from "../ledger/wallet-store.ts";
import { pause } from "../pause.ts";
import type { CoinContext, NetworkFacts } from "../scan-reads/network-facts.ts";
import type { Treasury } from "./treasury.ts";
import type { Wallet } from "./wallet.ts";

export interface WalletLedgerParts {
  readonly participant: Participant;
  readonly follower: LedgerFollower;
  readonly store: WalletStore;
  readonly facts: NetworkFacts;
  readonly treasury: Treasury;
  readonly operatorParty: PartyId;
}

/** What is submitted in one try. Made anew for the next, from what the ledger says then. */
export interface Attempt {
  readonly commands: readonly Command[];
  readonly disclosed?: readonly DisclosedContract[];
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
  readonly deduplicationSeconds: number;
}

const MAX_ATTEMPTS = 6;
const FIRST_PAUSE = 50;
const INGESTION_MILLISECONDS = 5000;

export class WalletLedger {
  readonly #parts: WalletLedgerParts;

  constructor(parts: WalletLedgerParts) {
    this.#parts = parts;
  }

  /** As the user. */
  submitAsUser({ party }: Wallet, attempt: () => Promise<Attempt>): Promise<Transaction> {
    return this.#submit({ actAs: [party], readAs: [] }, attempt);
  }

  /** As the validator, for the user: what the install contract lets it do. */
  submitAsValidator(
    { party }: Wallet,
    attempt: () => Promise<Attempt>,
    identity?: CommandIdentity,
  ): Promise<Transaction> {
    return this.#submit({ actAs: [this.#parts.operatorParty], readAs: [party] }, attempt, identity);
  }

  /**
   * One operation on the wallet's coin, in its turn. Inputs are all coins, the largest first, up to as many as the rules allow, so that every
   * payment also merges them; a tap takes none.
   */
  runOperation(
    wallet: Wallet,
    makeOperation: (context: CoinContext) => Promise<CoinOperation>,
    identity?: CommandIdentity,
  ): Promise<Transaction> {
    const { facts, treasury } = this.#parts;
    return treasury.run(wallet.party, () =>
      this.submitAsValidator(
        wallet,
        async () => {
          const context = await facts.coinContext();
          const { operation, notBefore = context.roundOpensAt } = await makeOperation(context);
          const coins = operation.tag === "CO_Tap" ? [] : await this.#coins(wallet.party, context.maxInputs);
          const argument = {
            context: {
              amuletRules: context.amuletRules,
              context: {
                openMiningRound: context.openMiningRound,
                issuingMiningRounds: [],
                validatorRights: [],
                featuredAppRight: null,
              },
            },
            inputs: coins.map((value) => ({ tag: "InputAmulet", value }) as const),
            operations: [operation],
          };
          const choice = "WalletAppInstall_ExecuteBatch";
          return {
            commands: [exercise(WalletAppInstall, wallet.install, choice, argument)],
            disclosed: context.disclosed,
            // A participant may not have heard yet that the network's clock was moved.
            notBefore: notBefore > context.roundOpensAt ? notBefore : context.roundOpensAt,
          };
        },
        identity,
      ),
    );
  }

  async #coins(owner: PartyId, limit: number): Promise<readonly ContractId[]> {
    const coins = [...(await this.#parts.store.list(Amulet, { owner }, MAX_COINS))];
    coins.sort((a, b) => Number(b.payload.amount.initialAmount - a.payload.amount.initialAmount));
    return coins.slice(0, limit).map(({ contractId }) => contractId);
  }

  async #submit(
    parties: { readonly actAs: readonly PartyId[]; readonly readAs: readonly PartyId[] },
    makeAttempt: () => Promise<Attempt>,
    identity?: CommandIdentity,
  ): Promise<Transaction> {
    const { participant, follower, facts } = this.#parts;
    for (let attempt = 1; ; attempt++) {
      const made = await makeAttempt();
      try {
        const transaction = await participant.submit({
          ...parties,
          ...made,
          ...identity,
          after: follower.offset,
        });
        await follower.waitFor(transaction.offset, INGESTION_MILLISECONDS);
        return transaction;
      } catch (error) {
        const body = ledgerErrorOf(error);
        if (body === undefined || !isContention(body) || attempt === MAX_ATTEMPTS) throw refusalOf(error);
      }
      facts.drop();
      await this.#catchUp();
      await pause(FIRST_PAUSE * attempt);
    }
  }

  /** The copy shows what the ledger was a moment ago, so that the next try uses what is left. */
  async #catchUp(): Promise<void> {
    try {
      await this.#parts.follower.catchUp(INGESTION_MILLISECONDS);
    } catch (error) {
      throw refusalOf(error);
    }
  }
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
