/** The actors of the economy's part of the golden log. Their submissions must succeed. */
import { AmuletRules } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import type { TransferInput } from "../../packages/ledger/src/contracts/splice-amulet/declarations/transfer.ts";
import type { AmuletOperation } from "../../packages/ledger/src/contracts/splice-wallet/declarations/amulet-operation.ts";
import { WalletAppInstall } from "../../packages/ledger/src/contracts/splice-wallet/declarations/install.ts";
import { type Command, exerciseCommand } from "../../packages/ledger/src/engine/command.ts";
import type {
  AnyTemplateDeclaration,
  ArgumentOf,
  ChoiceName,
} from "../../packages/ledger/src/engine/declaration.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { addDuration, type Time } from "../../packages/ledger/src/values/time.ts";
import type { DsoActor } from "../../packages/ledger/testing/dso-actor.ts";
import { accept, EconomyDso } from "../../packages/ledger/testing/economy-dso.ts";
import { EconomyWallet } from "../../packages/ledger/testing/economy-wallet.ts";
import type { SimulatedMember, SimulatedNetwork } from "../../packages/ledger/testing/simulated-network.ts";
import type { SvActor } from "../../packages/ledger/testing/sv-actor.ts";
import type { WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";

export class EconomyStage {
  readonly network: SimulatedNetwork;
  readonly dso: EconomyDso;
  readonly svs: readonly SvActor[];
  /** Two validators, and two users each. */
  readonly north: EconomyWallet;
  readonly south: EconomyWallet;
  readonly ann: EconomyWallet;
  readonly ben: EconomyWallet;
  readonly cho: EconomyWallet;
  readonly dia: EconomyWallet;

  constructor(dso: DsoActor, wallets: readonly WalletActor[]) {
    const [ann, ben, cho, dia] = wallets as [WalletActor, WalletActor, WalletActor, WalletActor];
    const { network } = dso;
    const playing = ({ member, party }: { member: SimulatedMember; party?: PartyId }) =>
      new EconomyWallet(network, member, party);
    this.network = network;
    this.dso = new EconomyDso(dso);
    this.svs = dso.svs;
    this.north = playing({ member: ann.member });
    this.south = playing({ member: cho.member });
    this.ann = playing(ann);
    this.ben = playing(ben);
    this.cho = playing(cho);
    this.dia = playing(dia);
  }

  inFuture(micros: bigint): Time {
    return addDuration(this.network.now, micros);
  }

  /** Submits as parties of one member, with rules and rounds disclosed; the contracts it leaves. */
  submit(
    wallet: EconomyWallet,
    actAs: readonly PartyId[],
    commands: readonly Command[],
    { readAs = [], disclose = [] }: { readAs?: readonly PartyId[]; disclose?: readonly ContractId[] } = {},
  ): readonly ContractId[] {
    const rules = this.network.only(AmuletRules).contractId;
    const submission = { actAs, readAs, commands, disclose: [rules, ...wallet.disclosed(), ...disclose] };
    const outcome = accept(this.network.submit(wallet.member, submission));
    return outcome.created.map(({ contract }) => contract.contractId);
  }

  /** A choice of one contract, as its owner. */
  use<T extends AnyTemplateDeclaration, C extends ChoiceName<T>>(
    wallet: EconomyWallet,
    target: readonly [template: T, contractId: ContractId],
    choice: C,
    argument: ArgumentOf<T["choices"][C]>,
  ): readonly ContractId[] {
    const [template, contractId] = target;
    return this.submit(wallet, [wallet.party], [exerciseCommand(template, contractId, choice, argument)]);
  }

  /** A choice of the wallet's installation, by the validator. */
  forward<C extends ChoiceName<typeof WalletAppInstall>>(
    wallet: EconomyWallet,
    choice: C,
    argument: ArgumentOf<(typeof WalletAppInstall)["choices"][C]>,
    disclose: readonly ContractId[] = [],
  ): readonly ContractId[] {
    const install = this.network
      .active(WalletAppInstall)
      .find(({ payload }) => payload.endUserParty === wallet.party);
    const command = exerciseCommand(WalletAppInstall, install?.contractId as ContractId, choice, argument);
    const reading = { readAs: [wallet.party], disclose };
    return this.submit(wallet, [wallet.member.party], [command], reading);
  }

  batch(
    wallet: EconomyWallet,
    operations: readonly AmuletOperation[],
    inputs: readonly TransferInput[] = wallet.coins(),
    disclose: readonly ContractId[] = [],
  ): readonly ContractId[] {
    const context = this.context(wallet);
    return this.forward(wallet, "WalletAppInstall_ExecuteBatch", { context, inputs, operations }, disclose);
  }

  /** The user's own app is not the one that is paid through its wallet. */
  context(wallet: EconomyWallet) {
    const amuletRules = this.network.only(AmuletRules).contractId;
    return { amuletRules, context: { ...wallet.context(), featuredAppRight: null } };
  }
}
