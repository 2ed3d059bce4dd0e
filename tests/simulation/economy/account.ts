/**
 * The accounts of the simulated economy, users and the operators of their validators: how they pay, and what they
 * can put into a payment. Every payment mints what is due, as wallets do.
 */
import type {
  TransferContext,
  TransferInput,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/transfer.ts";
import {
  type AmuletOperation,
  AmuletRules,
  type ArgumentOf,
  type ChoiceName,
  type Command,
  type ContractId,
  exerciseCommand,
  type Outcome,
  type PartyId,
  WalletAppInstall,
} from "../../../packages/ledger/src/index.ts";
import { EconomyWallet } from "../../../packages/ledger/testing/economy-wallet.ts";

/** As many inputs as a transfer may have. */
const MOST_INPUTS = 100;

/** Inputs for a transfer, with the contracts it needs for them. */
interface Funds {
  readonly inputs: readonly TransferInput[];
  readonly context: TransferContext;
  readonly disclose: readonly ContractId[];
}

export class Account extends EconomyWallet {
  get isOperator(): boolean {
    return this.party === this.member.party;
  }

  /** Runs wallet operations with everything this party has. */
  batch(operations: readonly AmuletOperation[], disclose: readonly ContractId[] = []): Outcome {
    const { amuletRules } = this;
    const { inputs, context, disclose: known } = this.funds();
    const argument = { context: { amuletRules, context }, inputs, operations };
    return this.byInstall("WalletAppInstall_ExecuteBatch", argument, [...known, ...disclose]);
  }

  /** All coins and all rewards that are due become one coin, by a transfer to oneself. */
  mintAll(): Outcome | null {
    const { inputs, context, disclose } = this.funds();
    if (inputs.length === 0) return null;
    const transfer = { sender: this.party, provider: this.party, inputs, outputs: [], beneficiaries: null };
    const argument = { transfer, context, expectedDso: this.network.dso };
    const command = exerciseCommand(AmuletRules, this.amuletRules, "AmuletRules_Transfer", argument);
    return this.submitAs([this.party], [command], disclose);
  }

  /** A choice that the validator makes for the user. */
  byInstall<C extends ChoiceName<typeof WalletAppInstall>>(
    choice: C,
    argument: ArgumentOf<(typeof WalletAppInstall)["choices"][C]>,
    disclose: readonly ContractId[] = [],
  ): Outcome {
    const command = exerciseCommand(WalletAppInstall, this.install, choice, argument);
    return this.submitAs([this.member.party], [command], disclose);
  }

  submit(commands: readonly Command[], disclose: readonly ContractId[] = []): Outcome {
    return this.submitAs([this.party], commands, disclose);
  }

  /** Members read for all their users. */
  submitAs(
    actAs: readonly PartyId[],
    commands: readonly Command[],
    disclose: readonly ContractId[] = [],
  ): Outcome {
    const { network, member } = this;
    const readAs = [...new Set([this.party, ...this.#users()])].filter((party) => !actAs.includes(party));
    const unique = [...new Set(disclose)];
    return network.submit(member, { actAs: [...new Set(actAs)], readAs, commands, disclose: unique });
  }

  get install(): ContractId {
    const found = this.network
      .active(WalletAppInstall, this.party)
      .find(({ payload }) => payload.endUserParty === this.party && payload.dsoParty === this.network.dso);
    if (found === undefined) throw new Error(`${this.party} has no wallet`);
    return found.contractId;
  }

  get amuletRules(): ContractId {
    return this.network.only(AmuletRules).contractId;
  }

  /** Coins first, then rewards. Nothing is earned as an app. */
  funds(): Funds {
    return {
      inputs: [...this.coins(), ...this.rewards()].slice(0, MOST_INPUTS),
      context: { ...this.context(), featuredAppRight: null },
      disclose: [this.amuletRules, ...this.disclosed()],
    };
  }

  #users(): readonly PartyId[] {
    if (!this.isOperator) return [];
    return this.network
      .active(WalletAppInstall, this.party)
      .filter(({ payload }) => payload.validatorParty === this.party)
      .map(({ payload }) => payload.endUserParty);
  }
}
