/**
 * A sandbox network, founded as a real one is: DsoBootstrap with the first SV, then DsoRules_AddSv for the others,
 * and NameCare beside it. Only the founding acts as the DSO. Afterwards everybody has the authority they have on
 * a real network: SVs read as the DSO and act as themselves, users act for themselves on disclosed contracts.
 */
import { NameCare } from "../src/contracts/callsign-names/declarations/names.ts";
import { relTime } from "../src/contracts/rel-time.ts";
import type { AmuletConfig } from "../src/contracts/splice-amulet/declarations/amulet-config.ts";
import { defaultAmuletConfig } from "../src/contracts/splice-amulet/rules/default-amulet-config.ts";
import { AnsRules } from "../src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { defaultAnsConfig } from "../src/contracts/splice-amulet-name-service/default-ans-config.ts";
import type { ActionRequiringConfirmation } from "../src/contracts/splice-dso-governance/declarations/confirmed-action.ts";
import { DsoBootstrap, DsoRules } from "../src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import { AmuletPriceVote } from "../src/contracts/splice-dso-governance/declarations/sv-state.ts";
import { defaultDsoConfig } from "../src/contracts/splice-dso-governance/default-dso-config.ts";
import type { AnyTemplateDeclaration, ArgumentOf, PayloadOf, ResultOf } from "../src/engine/declaration.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import { type Decimal, decimal } from "../src/values/decimal.ts";
import { DAY, MINUTE } from "../src/values/duration.ts";
import type { PartyId } from "../src/values/party-id.ts";
import { requiredConfirmations } from "../src/values/required-confirmations.ts";
import { SandboxRounds } from "./network-fixture.ts";
import { openRounds } from "./open-rounds.ts";
import { type Submitting, testParty } from "./sandbox.ts";

export const TICK = 10n * MINUTE;
export const ENTRY_LIFETIME = 90n * DAY;
export const RENEWAL_DURATION = 30n * DAY;

const DEFAULT_WEIGHT = 10_000n;

export interface Founding {
  readonly svCount?: number;
  readonly amuletPrice?: Decimal;
  readonly isDevNet?: boolean;
  readonly initialRound?: bigint;
  readonly amuletConfig?: AmuletConfig;
  /** In the order of the SVs; 10,000 by default. */
  readonly weights?: readonly bigint[];
}

type Choices = (typeof DsoRules)["choices"];

export class DsoFixture extends SandboxRounds {
  readonly svs: readonly PartyId[];

  constructor({ svCount = 4, ...founding }: Founding = {}) {
    super();
    this.svs = Array.from({ length: svCount }, (_, i) => testParty(`sv${i + 1}`));
    this.sandbox.exercise(
      DsoBootstrap,
      this.#createBootstrap(founding),
      "DsoBootstrap_Bootstrap",
      {},
      this.asDso(),
    );
    this.svs.slice(1).forEach((sv, i) => {
      this.addSv(sv, `SV-${i + 2}`, founding.initialRound, founding.weights?.[i + 1]);
    });
    this.sandbox.create(NameCare, { dso: this.dso }, this.asDso());
  }

  sv(index: number): PartyId {
    const sv = this.svs[index];
    if (sv === undefined) throw new Error(`the network has ${this.svs.length} SVs, none at ${index}`);
    return sv;
  }

  asDso(): Submitting {
    return { actAs: [this.dso] };
  }

  asSv(sv: PartyId = this.sv(0)): Submitting {
    return { actAs: [sv], readAs: [this.dso] };
  }

  only<T extends AnyTemplateDeclaration>(template: T): { contractId: ContractId; payload: PayloadOf<T> } {
    const [first, second] = this.sandbox.active(template);
    if (first === undefined || second !== undefined) throw new Error(`not exactly one ${template.entity}`);
    return first;
  }

  get dsoRules(): ContractId {
    return this.only(DsoRules).contractId;
  }

  get ansRules(): ContractId {
    return this.only(AnsRules).contractId;
  }

  addSv(sv: PartyId, name: string, joinedAsOfRound = 0n, weight = DEFAULT_WEIGHT): ContractId {
    const added = this.sandbox.exercise(
      DsoRules,
      this.dsoRules,
      "DsoRules_AddSv",
      {
        newSvParty: sv,
        newSvName: name,
        newSvRewardWeight: weight,
        newSvParticipantId: `PAR::${sv}`,
        joinedAsOfRound: { number: joinedAsOfRound },
      },
      this.asDso(),
    );
    return added.newDsoRules;
  }

  offboardSv(sv: PartyId): ContractId {
    const choice = "DsoRules_OffboardSv";
    return this.sandbox.exercise(DsoRules, this.dsoRules, choice, { sv }, this.asDso()).newDsoRules;
  }

  /** A choice on DsoRules by an SV, the first one unless told. */
  bySv<C extends keyof Choices & string>(
    choice: C,
    argument: Omit<ArgumentOf<Choices[C]>, "sv">,
    sv: PartyId = this.sv(0),
  ): ResultOf<Choices[C]> {
    const whole = { ...argument, sv } as ArgumentOf<Choices[C]>;
    return this.sandbox.exercise(DsoRules, this.dsoRules, choice, whole, this.asSv(sv));
  }

  confirm(action: ActionRequiringConfirmation, confirmer: PartyId): ContractId {
    const argument = { confirmer, action };
    const as = this.asSv(confirmer);
    return this.sandbox.exercise(DsoRules, this.dsoRules, "DsoRules_ConfirmAction", argument, as)
      .confirmation;
  }

  execute(action: ActionRequiringConfirmation, confirmationCids: readonly ContractId[], sv?: PartyId): void {
    const argument = { action, amuletRulesCid: this.amuletRules, confirmationCids };
    this.bySv("DsoRules_ExecuteConfirmedAction", argument, sv);
  }

  /** As many SVs as needed confirm, and the first one executes. */
  agree(action: ActionRequiringConfirmation): void {
    const quorum = this.svs.slice(0, requiredConfirmations(this.svs.length));
    this.execute(
      action,
      quorum.map((sv) => this.confirm(action, sv)),
    );
  }

  votes(): readonly { contractId: ContractId; payload: PayloadOf<typeof AmuletPriceVote> }[] {
    return this.sandbox.active(AmuletPriceVote);
  }

  vote(sv: PartyId, price: string): ContractId {
    const own = this.votes().find((vote) => vote.payload.sv === sv);
    if (own === undefined) throw new Error(`${sv} has no vote to change`);
    const argument = { voteCid: own.contractId, amuletPrice: decimal(price) };
    return this.bySv("DsoRules_UpdateAmuletPriceVote", argument, sv).amuletPriceVote;
  }

  /** Moves the clock to the earliest time at which the rounds may advance, if that is ahead, and advances them. */
  advanceRounds(given: { votes?: readonly ContractId[]; sv?: PartyId } = {}) {
    this.awaitNextRound();
    const [oldest, middle, newest] = openRounds(this);
    const argument = {
      amuletRulesCid: this.amuletRules,
      roundToArchiveCid: oldest.contractId,
      middleRoundCid: middle.contractId,
      latestRoundCid: newest.contractId,
      amuletPriceVoteCids: given.votes ?? this.votes().map(({ contractId }) => contractId),
    };
    return this.bySv("DsoRules_AdvanceOpenMiningRounds", argument, given.sv);
  }

  #createBootstrap(founding: Omit<Founding, "svCount">): ContractId {
    const { amuletPrice = decimal("0.005"), isDevNet = true, initialRound = null } = founding;
    return this.sandbox.create(
      DsoBootstrap,
      {
        dso: this.dso,
        sv1Party: this.sv(0),
        sv1Name: "SV-1",
        sv1RewardWeight: founding.weights?.[0] ?? DEFAULT_WEIGHT,
        sv1ParticipantId: `PAR::${this.sv(0)}`,
        sv1SynchronizerNodes: [],
        round0Duration: relTime(TICK),
        amuletConfig: founding.amuletConfig ?? defaultAmuletConfig("global::1220ab"),
        amuletPrice,
        ansRulesConfig: defaultAnsConfig,
        config: defaultDsoConfig("global::1220ab"),
        initialTrafficState: [],
        isDevNet,
        initialRound,
      },
      this.asDso(),
    );
  }
}
