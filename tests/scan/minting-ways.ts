/** Every way to mint a reward: by hand, with a purchase, by preapproval, by delegation, within a wallet's batch. */
import { AmuletRules } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import type { TransferInput } from "../../packages/ledger/src/contracts/splice-amulet/declarations/transfer.ts";
import { TransferPreapproval } from "../../packages/ledger/src/contracts/splice-amulet/declarations/transfer-preapproval.ts";
import type { AmuletOperation } from "../../packages/ledger/src/contracts/splice-wallet/declarations/amulet-operation.ts";
import { WalletAppInstall } from "../../packages/ledger/src/contracts/splice-wallet/declarations/install.ts";
import { MintingDelegation } from "../../packages/ledger/src/contracts/splice-wallet/declarations/minting-delegation.ts";
import { BuyTrafficRequest } from "../../packages/ledger/src/contracts/splice-wallet/declarations/traffic-purchases.ts";
import { type Command, createCommand, exerciseCommand } from "../../packages/ledger/src/engine/command.ts";
import type { Outcome } from "../../packages/ledger/src/transition/outcome.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { addDuration } from "../../packages/ledger/src/values/time.ts";
import { accept } from "../../packages/ledger/testing/economy-dso.ts";
import type { Economy } from "./economy.ts";

type Mint = (economy: Economy, inputs: readonly TransferInput[]) => Outcome;

export const MINTING_WAYS = {
  "a transfer": ({ app }, inputs) => app.mint(inputs),
  "a purchase of traffic": (economy, inputs) => {
    return economy.app.buyTraffic("PAR::somebody::1220", 200_000n, [...inputs, ...economy.shop.inputs()]);
  },
  "a proposal to an external party": (economy, inputs) => {
    const { app, validator } = economy;
    return app.exercise("AmuletRules_CreateExternalPartySetupProposal", {
      ...paying(economy, inputs),
      user: validator.party,
      validator: app.party,
      preapprovalExpiresAt: inDays(economy, 30n),
    });
  },
  "a preapproval": (economy, inputs) => {
    const { app, validator } = economy;
    const parties = { receiver: validator.party, provider: app.party };
    const argument = { ...paying(economy, inputs), ...parties, expiresAt: inDays(economy, 30n) };
    return app.exercise("AmuletRules_CreateTransferPreapproval", argument, [app.party, validator.party]);
  },
  "the renewal of a preapproval": (economy, inputs) => {
    const { context } = paying(economy, inputs);
    const argument = {
      context,
      inputs: [...inputs, ...economy.shop.inputs()],
      newExpiresAt: inDays(economy, 60n),
    };
    return submit(economy, [
      exerciseCommand(TransferPreapproval, preapprovalOf(economy), "TransferPreapproval_Renew", argument),
    ]);
  },
  "a transfer to a preapproved party": (economy, inputs) => {
    const { context } = paying(economy, inputs);
    const sent = { amount: decimal("1.0"), sender: economy.app.party, description: null };
    const argument = { context: withoutRights(context), inputs, ...sent };
    return submit(economy, [
      exerciseCommand(TransferPreapproval, preapprovalOf(economy), "TransferPreapproval_Send", argument),
    ]);
  },
  "a delegate": (economy, inputs) => {
    const { network, app, validator } = economy;
    const terms = { expiresAt: inDays(economy, 30n), amuletMergeLimit: 10n };
    const parties = { beneficiary: app.party, delegate: validator.party, dso: network.dso };
    const both = [app.party, validator.party];
    const made = submit(economy, [createCommand(MintingDelegation, { ...parties, ...terms })], both);
    const [delegation] = accept(made).created;
    const argument = { inputs, context: paying(economy, inputs).context };
    const contractId = delegation?.contract.contractId as ContractId;
    return submit(
      economy,
      [exerciseCommand(MintingDelegation, contractId, "MintingDelegation_Mint", argument)],
      [validator.party],
      [app.party],
    );
  },
  "a wallet's batch": (economy, inputs) => {
    return batch(economy, inputs, [{ tag: "CO_MergeTransferInputs", value: {} }]);
  },
  "a purchase within a wallet's batch": (economy, inputs) => {
    const { network, app } = economy;
    const { dso, synchronizerId, migrationId } = network.network;
    const request = createCommand(BuyTrafficRequest, {
      dso,
      endUserParty: app.party,
      expiresAt: inDays(economy, 1n),
      trackingId: "traffic-1",
      trafficAmount: 200_000n,
      memberId: "PAR::somebody::1220",
      synchronizerId,
      migrationId,
    });
    const [asked] = accept(submit(economy, [request])).created;
    const trafficRequestCid = asked?.contract.contractId as ContractId;
    const operation: AmuletOperation = { tag: "CO_CompleteBuyTrafficRequest", value: { trafficRequestCid } };
    return batch(economy, [...inputs, ...economy.shop.inputs()], [operation]);
  },
  "a preapproved transfer within a wallet's batch": (economy, inputs) => {
    const value = {
      transferPreapprovalCid: preapprovalOf(economy),
      providerFeaturedAppRightCid: null,
      amount: decimal("1.0"),
      description: null,
    };
    return batch(economy, inputs, [{ tag: "CO_TransferPreapprovalSend", value }]);
  },
} as const satisfies Readonly<Record<string, Mint>>;

function batch(
  economy: Economy,
  inputs: readonly TransferInput[],
  operations: readonly AmuletOperation[],
): Outcome {
  const { network, app, validator } = economy;
  const install = network.active(WalletAppInstall).find(({ payload }) => payload.endUserParty === app.party);
  const argument = { context: withoutRights(paying(economy, inputs).context), inputs, operations };
  return submit(
    economy,
    [
      exerciseCommand(
        WalletAppInstall,
        install?.contractId as ContractId,
        "WalletAppInstall_ExecuteBatch",
        argument,
      ),
    ],
    [validator.party],
    [app.party],
  );
}

/** With coin beside the reward: what is minted need not suffice. */
function paying({ app, network, shop }: Economy, inputs: readonly TransferInput[]) {
  const amuletRules = network.only(AmuletRules).contractId;
  const context = { amuletRules, context: app.context() };
  return { context, inputs: [...inputs, ...shop.inputs()], expectedDso: network.dso };
}

type Context = ReturnType<typeof paying>["context"];

/** The provider is another one than the sender: the sender's own right is none of its. */
function withoutRights({ amuletRules, context }: Context): Context {
  return { amuletRules, context: { ...context, featuredAppRight: null } };
}

function preapprovalOf({ network }: Economy): ContractId {
  return network.active(TransferPreapproval, network.dso).at(-1)?.contractId as ContractId;
}

function inDays({ network }: Economy, days: bigint) {
  return addDuration(network.now, days * DAY);
}

function submit(
  { network, app }: Economy,
  commands: readonly Command[],
  actAs: readonly PartyId[] = [app.party],
  readAs: readonly PartyId[] = [],
): Outcome {
  const rules = network.only(AmuletRules).contractId;
  return network.submit(app.member, { actAs, readAs, commands, disclose: [rules, ...app.disclosed()] });
}
