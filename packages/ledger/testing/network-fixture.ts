/**
 * A founded sandbox network for rule tables: the coin's rules with the default configuration on a DevNet, and
 * three rounds at 0.005. Every contract is disclosed to every submission, as scan would do.
 */
import { Amulet } from "../src/contracts/splice-amulet/declarations/amulet.ts";
import type { AmuletConfig } from "../src/contracts/splice-amulet/declarations/amulet-config.ts";
import { AmuletRules } from "../src/contracts/splice-amulet/declarations/amulet-rules.ts";
import type {
  AppTransferContext,
  PaymentTransferContext,
  TransferContext,
} from "../src/contracts/splice-amulet/declarations/transfer.ts";
import {
  DEFAULT_AMULET_PRICE,
  DEFAULT_TICK_DURATION,
  defaultAmuletConfig,
} from "../src/contracts/splice-amulet/rules/default-amulet-config.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import { type Decimal, decimal, sum } from "../src/values/decimal.ts";
import type { PartyId } from "../src/values/party-id.ts";
import { laterTime, type Time } from "../src/values/time.ts";
import {
  findUsableRound,
  listOpenRounds,
  nextRoundDue,
  openRounds,
  type RoundWithId,
} from "./open-rounds.ts";
import { Sandbox, testParty } from "./sandbox.ts";

export const TEST_SYNCHRONIZER = `global-domain::1220${"0".repeat(64)}`;

export interface NetworkTerms {
  readonly now?: Time;
  readonly dso?: PartyId;
  readonly config?: AmuletConfig;
  readonly isDevNet?: boolean;
  readonly amuletPrice?: Decimal;
  readonly initialRound?: bigint;
}

/** A network with rounds in a sandbox, however it was founded. */
export class SandboxRounds {
  readonly sandbox: Sandbox;
  readonly dso: PartyId;

  constructor({ now, dso = testParty("DSO") }: { readonly now?: Time; readonly dso?: PartyId } = {}) {
    this.sandbox = new Sandbox(now === undefined ? {} : { now });
    this.dso = dso;
  }

  /** The rules now in force; a change of configuration replaces the contract. */
  get amuletRules(): ContractId {
    const [rules] = this.sandbox.active(AmuletRules);
    if (rules === undefined) throw new Error("the network has no AmuletRules");
    return rules.contractId;
  }

  get ofDso(): Sandbox {
    return this.sandbox;
  }

  /** Oldest first; normally three. */
  openRounds(): readonly RoundWithId[] {
    return listOpenRounds(this);
  }

  openRound(number: bigint): RoundWithId {
    const found = this.openRounds().find(({ payload }) => payload.round.number === number);
    if (found === undefined) throw new Error(`round ${number} is not open`);
    return found;
  }

  /** The newest round that is open already: the one a wallet picks. */
  usableRound(): RoundWithId {
    return findUsableRound(this);
  }

  /** The contracts that a submission about coin discloses: the rules and every round. */
  disclosures(): readonly ContractId[] {
    return [this.amuletRules, ...this.openRounds().map(({ contractId }) => contractId)];
  }

  transferContext(given: Partial<TransferContext> = {}): TransferContext {
    return {
      openMiningRound: given.openMiningRound ?? this.usableRound().contractId,
      issuingMiningRounds: given.issuingMiningRounds ?? [],
      validatorRights: given.validatorRights ?? [],
      featuredAppRight: given.featuredAppRight ?? null,
    };
  }

  paymentContext(given: Partial<TransferContext> = {}): PaymentTransferContext {
    return { amuletRules: this.amuletRules, context: this.transferContext(given) };
  }

  appContext(round: RoundWithId = this.usableRound()): AppTransferContext {
    return { amuletRules: this.amuletRules, openMiningRound: round.contractId, featuredAppRight: null };
  }

  /** A fresh coin, in coin and not in dollars: `tap(alice, "200.0")`. */
  tap(receiver: PartyId, amount: string, round: RoundWithId = this.usableRound()): ContractId {
    const { amuletSum } = this.sandbox.exercise(
      AmuletRules,
      this.amuletRules,
      "AmuletRules_DevNet_Tap",
      { receiver, amount: decimal(amount), openRound: round.contractId },
      { actAs: [receiver], disclose: this.disclosures() },
    );
    return amuletSum.amulet;
  }

  /** The sum of a party's unlocked coins. */
  balanceOf(party: PartyId): Decimal {
    const coins = this.sandbox.active(Amulet).filter(({ payload }) => payload.owner === party);
    return sum(coins.map(({ payload }) => payload.amount.initialAmount));
  }

  /** Moves the clock to when rounds may advance, unless it is past that. */
  awaitNextRound(): void {
    this.sandbox.now = laterTime(this.sandbox.now, nextRoundDue(this));
  }
}

/** A network of its own, founded by the DSO alone. */
export class SandboxNetwork extends SandboxRounds {
  constructor(options: NetworkTerms = {}) {
    super(options);
    const asDso = { actAs: [this.dso] };
    const rules = this.sandbox.create(
      AmuletRules,
      {
        dso: this.dso,
        configSchedule: {
          initialValue: options.config ?? defaultAmuletConfig(TEST_SYNCHRONIZER),
          futureValues: [],
        },
        isDevNet: options.isDevNet ?? true,
        contractStateSchemaVersion: null,
      },
      asDso,
    );
    const founding = {
      amuletPrice: options.amuletPrice ?? DEFAULT_AMULET_PRICE,
      round0Duration: options.config?.tickDuration ?? DEFAULT_TICK_DURATION,
      initialRound: options.initialRound ?? null,
    };
    this.sandbox.exercise(AmuletRules, rules, "AmuletRules_Bootstrap_Rounds", founding, asDso);
  }

  /** Moves the clock to when rounds may advance, unless it is past that, and advances them by one. */
  advanceRounds(amuletPrice: Decimal = DEFAULT_AMULET_PRICE): RoundWithId {
    this.awaitNextRound();
    const [oldest, middle, latest] = openRounds(this);
    this.sandbox.exercise(
      AmuletRules,
      this.amuletRules,
      "AmuletRules_AdvanceOpenMiningRounds",
      {
        amuletPrice,
        roundToArchiveCid: oldest.contractId,
        middleRoundCid: middle.contractId,
        latestRoundCid: latest.contractId,
      },
      { actAs: [this.dso] },
    );
    return this.openRound(latest.payload.round.number + 1n);
  }
}
