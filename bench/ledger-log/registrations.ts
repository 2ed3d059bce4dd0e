/** Logs for the ledger benchmark: the same work a live network would sequence, signed and in order. */
import { Amulet } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import type { TransferInput } from "../../packages/ledger/src/contracts/splice-amulet/declarations/transfer.ts";
import { AnsRules } from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import type { ActionRequiringConfirmation } from "../../packages/ledger/src/contracts/splice-dso-governance/declarations/confirmed-action.ts";
import { DsoRules } from "../../packages/ledger/src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import type { AmuletOperation } from "../../packages/ledger/src/contracts/splice-wallet/declarations/amulet-operation.ts";
import { WalletAppInstall } from "../../packages/ledger/src/contracts/splice-wallet/declarations/install.ts";
import { createCommand, exerciseCommand } from "../../packages/ledger/src/engine/command.ts";
import { formatLogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import type { Outcome } from "../../packages/ledger/src/transition/outcome.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { type Decimal, decimal } from "../../packages/ledger/src/values/decimal.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { usableRound } from "../../packages/ledger/testing/open-rounds.ts";
import {
  type FoundingOptions,
  type SimulatedMember,
  SimulatedNetwork,
  type Submission,
} from "../../packages/ledger/testing/simulated-network.ts";

export interface BenchmarkLog {
  /** Entries, in their canonical bytes, that bring the ledger to where the measured ones begin. */
  readonly preparation: readonly string[];
  readonly measured: readonly string[];
  /** How many units of work the measured entries are. */
  readonly units: number;
}

export interface BenchmarkUser {
  readonly party: PartyId;
  readonly install: ContractId;
  coin: ContractId;
}

/** Nobody runs out of traffic. */
const AMPLE_BYTES = 10n ** 15n;

/** A network with one validator and its users, on which the same things happen again and again. */
export class BenchmarkNetwork {
  readonly network: SimulatedNetwork;
  readonly validator: SimulatedMember;
  readonly #ansRules: ContractId;
  readonly #amuletRules: ContractId;
  readonly #dsoRules: ContractId;
  readonly #round: ContractId;

  constructor({ terms = {}, ...options }: FoundingOptions = {}) {
    this.network = new SimulatedNetwork({ terms: { freeTrafficBytes: AMPLE_BYTES, ...terms }, ...options });
    this.validator = this.network.registerMember("validator");
    this.#ansRules = this.network.only(AnsRules).contractId;
    this.#amuletRules = this.network.only(AmuletRules).contractId;
    this.#dsoRules = this.network.only(DsoRules).contractId;
    this.#round = usableRound(this.network);
  }

  addUser(name: string): BenchmarkUser {
    const party = this.network.hostParty(this.validator, name);
    const fields = {
      dsoParty: this.network.dso,
      validatorParty: this.validator.party,
      endUserName: name,
      endUserParty: party,
    };
    const install = created(
      this.network.submit(this.validator, {
        actAs: [party, this.validator.party],
        commands: [createCommand(WalletAppInstall, fields)],
      }),
      WalletAppInstall.id,
    );
    return { party, install, coin: this.tap(party, decimal("1000.0")) };
  }

  tap(receiver: PartyId, amount: Decimal): ContractId {
    const tap = { receiver, amount, openRound: this.#round };
    return created(
      this.network.submit(this.validator, {
        actAs: [receiver],
        commands: [exerciseCommand(AmuletRules, this.#amuletRules, "AmuletRules_DevNet_Tap", tap)],
        disclose: [this.#amuletRules, this.#round],
      }),
      Amulet.id,
    );
  }

  /** Request, accept, four confirmations, collection: seven entries. */
  register(user: BenchmarkUser, name: string): Outcome {
    const { network, validator } = this;
    const entry = { name, url: "https://example.com/", description: "a name", user: user.party };
    const requested = network.submit(validator, {
      actAs: [user.party],
      commands: [exerciseCommand(AnsRules, this.#ansRules, "AnsRules_RequestEntry", entry)],
      disclose: [this.#ansRules],
    });
    const [request, context] = requested.created.map(({ contract }) => contract.contractId);
    const accept = {
      tag: "CO_SubscriptionAcceptAndMakeInitialPayment",
      value: need(request),
    } as const;
    const accepted = network.submit(validator, this.pay(user, accept));
    const payment = accepted.created.at(-1)?.contract.contractId;
    const action: ActionRequiringConfirmation = {
      tag: "ARC_AnsEntryContext",
      value: {
        ansEntryContextCid: need(context),
        ansEntryContextAction: {
          tag: "ANSRARC_CollectInitialEntryPayment",
          value: {
            paymentCid: need(payment),
            transferContext: {
              amuletRules: this.#amuletRules,
              openMiningRound: this.#round,
              featuredAppRight: null,
            },
            ansRulesCid: this.#ansRules,
          },
        },
      },
    };
    const confirmationCids = network.svs.map((sv) => {
      const argument = { confirmer: sv.party, action };
      return need(
        this.#asSv(sv, exerciseCommand(DsoRules, this.#dsoRules, "DsoRules_ConfirmAction", argument))
          .created[0]?.contract.contractId,
      );
    });
    const sv = need(network.svs[0]);
    const collect = { action, amuletRulesCid: this.#amuletRules, confirmationCids, sv: sv.party };
    const outcome = this.#asSv(
      sv,
      exerciseCommand(DsoRules, this.#dsoRules, "DsoRules_ExecuteConfirmedAction", collect),
    );
    if (outcome.verdict.kind !== "accepted")
      throw new Error(`registration failed: ${JSON.stringify(outcome.verdict)}`);
    return outcome;
  }

  /** The wallet's use of its coin. */
  pay(user: BenchmarkUser, operation: AmuletOperation): Submission {
    const transferContext = {
      openMiningRound: this.#round,
      featuredAppRight: null,
      issuingMiningRounds: [],
      validatorRights: [],
    };
    return {
      actAs: [this.validator.party],
      readAs: [user.party],
      commands: [
        exerciseCommand(WalletAppInstall, user.install, "WalletAppInstall_ExecuteBatch", {
          context: { amuletRules: this.#amuletRules, context: transferContext },
          inputs: [coinInput(user.coin)],
          operations: [operation],
        }),
      ],
      disclose: [this.#amuletRules, this.#round],
    };
  }

  /** One coin in, one to the receiver, change back. */
  transfer(from: BenchmarkUser, to: BenchmarkUser): void {
    const outcome = this.network.submit(this.validator, {
      actAs: [from.party, to.party],
      commands: [
        exerciseCommand(AmuletRules, this.#amuletRules, "AmuletRules_Transfer", {
          transfer: {
            sender: from.party,
            provider: from.party,
            inputs: [coinInput(from.coin)],
            outputs: [
              { receiver: to.party, receiverFeeRatio: decimal("0.0"), amount: decimal("0.01"), lock: null },
            ],
            beneficiaries: null,
          },
          context: {
            openMiningRound: this.#round,
            issuingMiningRounds: [],
            validatorRights: [],
            featuredAppRight: null,
          },
          expectedDso: this.network.dso,
        }),
      ],
      disclose: [this.#amuletRules, this.#round],
    });
    const change = outcome.created.at(-1);
    if (outcome.verdict.kind !== "accepted" || change === undefined) throw new Error("transfer failed");
    from.coin = change.contract.contractId;
  }

  #asSv(sv: SimulatedMember, command: ReturnType<typeof exerciseCommand>): Outcome {
    return this.network.submit(sv, { actAs: [sv.party], readAs: [this.network.dso], commands: [command] });
  }
}

export function registrationLog(count: number): BenchmarkLog {
  const generator = new BenchmarkNetwork();
  const users = Array.from({ length: count }, (_, i) => generator.addUser(`user-${i}`));
  const start = generator.network.log.length;
  for (const [i, user] of users.entries()) generator.register(user, `name-${i}.unverified.cns`);
  return splitLog(generator.network, start, count);
}

export function transferLog(count: number): BenchmarkLog {
  const generator = new BenchmarkNetwork();
  const users = Array.from({ length: 100 }, (_, i) => generator.addUser(`user-${i}`));
  const start = generator.network.log.length;
  for (let i = 0; i < count; i++) {
    generator.transfer(need(users[i % users.length]), need(users[(i * 7 + 1) % users.length]));
  }
  return splitLog(generator.network, start, count);
}

function splitLog({ log }: SimulatedNetwork, start: number, units: number): BenchmarkLog {
  const bytes = log.map(formatLogEntry);
  return { preparation: bytes.slice(0, start), measured: bytes.slice(start), units };
}

function coinInput(coin: ContractId): TransferInput {
  return { tag: "InputAmulet", value: coin };
}

export function created(outcome: Outcome, templateId: string): ContractId {
  return need(
    outcome.created.find(({ contract }) => contract.templateId === templateId)?.contract.contractId,
  );
}

function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the benchmark's log could not be made");
  return value;
}
