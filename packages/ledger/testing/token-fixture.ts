/**
 * The sandbox network with the token standard: its factories, and the choice contexts that scan gives to callers.
 * Bob gets 10 coins of Alice's unless a test says otherwise, with a day to accept them.
 */
import { LockedAmulet } from "../src/contracts/splice-amulet/declarations/amulet.ts";
import { ExternalPartyAmuletRules } from "../src/contracts/splice-amulet/declarations/external-party-amulet-rules.ts";
import { Allocation, type AllocationSpecification } from "../src/contracts/splice-api-token-v1/allocation.ts";
import { AllocationFactory } from "../src/contracts/splice-api-token-v1/allocation-instruction.ts";
import type { InstrumentId } from "../src/contracts/splice-api-token-v1/holding.ts";
import type {
  AnyValue,
  ChoiceContext,
  ExtraArgs,
  Metadata,
} from "../src/contracts/splice-api-token-v1/metadata.ts";
import {
  type TokenTransfer,
  TransferFactory,
  TransferInstruction,
} from "../src/contracts/splice-api-token-v1/transfer-instruction.ts";
import type { ArgumentOf } from "../src/engine/declaration.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import { type Decimal, decimal } from "../src/values/decimal.ts";
import { DAY, HOUR } from "../src/values/duration.ts";
import type { PartyId } from "../src/values/party-id.ts";
import { allCoins, sumOfCoins } from "./all-coins.ts";
import type { Submitting } from "./sandbox.ts";
import { alice, bob } from "./subscription-fixture.ts";
import { WalletNetwork } from "./wallet-fixture.ts";

export const NO_META: Metadata = { values: [] };

/** The choice context by key; the first configuration state unless given. */
export interface Handed {
  readonly configState?: ContractId | null;
  readonly preapproval?: ContractId;
  readonly featuredAppRight?: ContractId;
  readonly expireLock?: boolean;
}

export type Allocating = ArgumentOf<(typeof AllocationFactory)["choices"]["AllocationFactory_Allocate"]>;
type Ending = "TransferInstruction_Accept" | "TransferInstruction_Reject" | "TransferInstruction_Withdraw";
type Settling = "Allocation_ExecuteTransfer" | "Allocation_Cancel" | "Allocation_Withdraw";

export class TokenNetwork extends WalletNetwork {
  readonly factory: ContractId = this.sandbox.create(
    ExternalPartyAmuletRules,
    { dso: this.dso },
    { actAs: [this.dso] },
  );
  readonly instrument: InstrumentId = { admin: this.dso, id: "Amulet" };

  configState(): ContractId {
    const [first] = this.configStates();
    if (first === undefined) throw new Error("the network has no configuration state");
    return first;
  }

  context({ configState, preapproval, featuredAppRight, expireLock }: Handed = {}): ChoiceContext {
    const values: [string, AnyValue][] = [];
    if (expireLock !== undefined) values.push(["expire-lock", { tag: "AV_Bool", value: expireLock }]);
    const state = configState === undefined ? this.configState() : configState;
    if (state !== null) values.push(["external-party-config-state", { tag: "AV_ContractId", value: state }]);
    if (featuredAppRight !== undefined)
      values.push(["featured-app-right", { tag: "AV_ContractId", value: featuredAppRight }]);
    if (preapproval !== undefined)
      values.push(["transfer-preapproval", { tag: "AV_ContractId", value: preapproval }]);
    return { values };
  }

  extraArgs(handed: Handed = {}, meta: Metadata = NO_META): ExtraArgs {
    return { context: this.context(handed), meta };
  }

  /** As these parties alone, with everything of the DSO's disclosed, and the coins that are locked. */
  asHolder(...actAs: readonly PartyId[]): Submitting {
    const locked = this.lockedCoins().map(({ contractId }) => contractId);
    return { actAs, disclose: [...this.disclosures(), this.factory, ...this.configStates(), ...locked] };
  }

  /** The same with what else scan would hand out. */
  asHolderWith(disclosed: readonly ContractId[], ...actAs: readonly PartyId[]): Submitting {
    const as = this.asHolder(...actAs);
    return { ...as, disclose: [...(as.disclose ?? []), ...disclosed] };
  }

  tokenTransfer(inputHoldingCids: readonly ContractId[], given: Partial<TokenTransfer> = {}): TokenTransfer {
    return {
      sender: alice,
      receiver: bob,
      amount: decimal("10.0"),
      instrumentId: this.instrument,
      requestedAt: this.sandbox.now,
      executeBefore: this.later(DAY),
      inputHoldingCids,
      meta: NO_META,
      ...given,
    };
  }

  transferTokens(
    transfer: TokenTransfer,
    given: { readonly handed?: Handed; readonly expectedAdmin?: PartyId; readonly as?: Submitting } = {},
  ) {
    const { handed = {}, expectedAdmin = this.dso } = given;
    const disclosed = [handed.preapproval, handed.featuredAppRight].filter((cid) => cid !== undefined);
    return this.sandbox.exercise(
      TransferFactory,
      this.factory,
      "TransferFactory_Transfer",
      { expectedAdmin, transfer, extraArgs: this.extraArgs(handed) },
      given.as ?? this.asHolderWith(disclosed, transfer.sender),
    );
  }

  /** Alice offers Bob coin; the instruction that it makes. */
  offerTokens(inputs: readonly ContractId[], given: Partial<TokenTransfer> = {}): ContractId {
    const { output } = this.transferTokens(this.tokenTransfer(inputs, given));
    if (output.tag !== "TransferInstructionResult_Pending") throw new Error(`the transfer is ${output.tag}`);
    return output.value.transferInstructionCid;
  }

  endTransfer(cid: ContractId, choice: Ending, as: Submitting, handed: Handed = { expireLock: true }) {
    const argument = { extraArgs: this.extraArgs(handed) };
    return this.sandbox.exercise(TransferInstruction, cid, choice, argument, as);
  }

  /** Alice's leg of 10 coins to Bob in a settlement that the executor has two hours for. */
  allocation(executor: PartyId, given: Partial<AllocationSpecification["transferLeg"]> = {}) {
    const { now } = this.sandbox;
    return {
      settlement: {
        executor,
        settlementRef: { id: "trade", cid: null },
        requestedAt: now,
        allocateBefore: this.later(HOUR),
        settleBefore: this.later(2n * HOUR),
        meta: NO_META,
      },
      transferLegId: "leg0",
      transferLeg: {
        sender: alice,
        receiver: bob,
        amount: decimal("10.0"),
        instrumentId: this.instrument,
        meta: NO_META,
        ...given,
      },
    };
  }

  allocateTokens(
    allocation: AllocationSpecification,
    inputHoldingCids: readonly ContractId[],
    given: Partial<Allocating> & { readonly as?: Submitting } = {},
  ) {
    const { as, ...changed } = given;
    return this.sandbox.exercise(
      AllocationFactory,
      this.factory,
      "AllocationFactory_Allocate",
      {
        expectedAdmin: this.dso,
        allocation,
        requestedAt: this.sandbox.now,
        inputHoldingCids,
        extraArgs: this.extraArgs(),
        ...changed,
      },
      as ?? this.asHolder(allocation.transferLeg.sender),
    );
  }

  /** The allocation that it makes. */
  allocate(allocation: AllocationSpecification, inputs: readonly ContractId[]): ContractId {
    const { output } = this.allocateTokens(allocation, inputs);
    if (output.tag !== "AllocationInstructionResult_Completed")
      throw new Error(`the allocation is ${output.tag}`);
    return output.value.allocationCid;
  }

  endAllocation(cid: ContractId, choice: Settling, as: Submitting, extraArgs: ExtraArgs) {
    return this.sandbox.exercise(Allocation, cid, choice, { extraArgs }, as);
  }

  lockedCoins() {
    return this.sandbox.active(LockedAmulet);
  }

  /** The owner's coin, locked or not. */
  holdingsOf(owner: PartyId): Decimal {
    return sumOfCoins(allCoins(this.sandbox).filter((coin) => coin.owner === owner));
  }
}
