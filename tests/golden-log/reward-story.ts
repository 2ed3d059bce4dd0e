/**
 * Validators come in and say that they are up, apps are used, traffic is bought; rounds are counted, issue, close and
 * are archived. Some mint what they earned, in every way there is; of others it expires, and is merged.
 */

import { OpenMiningRound } from "../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import type { TransferInput } from "../../packages/ledger/src/contracts/splice-amulet/declarations/transfer.ts";
import { ValidatorLicense } from "../../packages/ledger/src/contracts/splice-amulet/declarations/validator-license.ts";
import { ValidatorOnboarding } from "../../packages/ledger/src/contracts/splice-validator-lifecycle/declarations/validator-onboarding.ts";
import {
  MintingDelegation,
  MintingDelegationProposal,
} from "../../packages/ledger/src/contracts/splice-wallet/declarations/minting-delegation.ts";
import { createCommand, exerciseCommand } from "../../packages/ledger/src/engine/command.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, HOUR, MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { accept } from "../../packages/ledger/testing/economy-dso.ts";
import { EconomyWallet } from "../../packages/ledger/testing/economy-wallet.ts";
import { usableRound } from "../../packages/ledger/testing/open-rounds.ts";
import type { SvActor } from "../../packages/ledger/testing/sv-actor.ts";
import type { EconomyStage } from "./economy-stage.ts";

export function tellRewards(stage: EconomyStage): void {
  const { network, dso } = stage;
  network.advance(10n * MINUTE);
  dso.dso.advanceRounds();
  buyTraffic(stage);
  onboardValidators(stage);
  const first = network.find(OpenMiningRound, usableRound(network))?.round.number ?? 0n;
  // Rounds that nobody earned in were never counted: two of them are, the others stay as they are.
  const isMeant = (round: bigint) => round < 2n || round >= first;
  let isMinted = false;
  for (let i = 0; i < 8; i++) {
    if (i < 3) earn(stage);
    if (!isMinted && stage.ann.rewards().length > 0) {
      mint(stage);
      isMinted = true;
    }
    dso.nextRound(isMeant);
  }
  dso.expireCoupons();
  dso.archiveRounds();
  dso.merge();
}

/** The free allowance is small here: everything that follows is paid for. */
function buyTraffic(stage: EconomyStage): void {
  for (const wallet of [stage.ann, stage.cho]) {
    const memberId = `PAR::${wallet.member.id}`;
    stage.batch(wallet, [{ tag: "CO_Tap", value: { tapAmount: decimal("60000.0") } }], []);
    accept(wallet.buyTraffic(memberId, 2_000_000n, wallet.coins()));
  }
  // More than the SVs leave apart.
  const { ann } = stage;
  for (let i = 0; i < 5; i++)
    accept(ann.buyTraffic(`PAR::${ann.member.id}`, 200_000n + BigInt(i), ann.coins()));
  // So little that the holding fees of two rounds are more.
  stage.batch(stage.dia, [{ tag: "CO_Tap", value: { tapAmount: decimal("0.005") } }], []);
  const { synchronizerId, migrationId } = stage.network.network;
  const { north, ben } = stage;
  stage.batch(ben, [{ tag: "CO_Tap", value: { tapAmount: decimal("9000.0") } }], []);
  const asked = { memberId: `PAR::${north.member.id}`, synchronizerId, migrationId, trafficAmount: 250_000n };
  const request = (trackingId: string) =>
    stage.forward(ben, "WalletAppInstall_CreateBuyTrafficRequest", {
      ...asked,
      expiresAt: stage.inFuture(DAY),
      trackingId,
    })[0] as ContractId;
  const trafficRequestCid = request("wanted");
  stage.batch(ben, [{ tag: "CO_CompleteBuyTrafficRequest", value: { trafficRequestCid } }]);
  const requestCid = request("not wanted any more");
  stage.forward(ben, "WalletAppInstall_BuyTrafficRequest_Cancel", { requestCid, reason: "enough" });
}

function onboardValidators(stage: EconomyStage): void {
  const { dso, north, south, ann, cho, network } = stage;
  const [sv] = stage.svs as [SvActor];
  const secret = (candidateSecret: string) =>
    accept(
      sv.submit([
        createCommand(ValidatorOnboarding, {
          sv: sv.party,
          candidateSecret,
          expiresAt: stage.inFuture(48n * HOUR),
        }),
      ]),
    ).created[0]?.contract.contractId as ContractId;
  const used = { providedSecret: "golden", validator: north.party };
  const match = exerciseCommand(ValidatorOnboarding, secret("golden"), "ValidatorOnboarding_Match", used);
  accept(sv.submit([match]));
  secret("never used");
  for (const validator of [north.party, south.party, north.party]) dso.onboard(validator);
  const licenses = network.active(ValidatorLicense, network.dso);
  const validatorLicenseCids = licenses
    .filter(({ payload }) => payload.validator === north.party)
    .map(({ contractId }) => contractId);
  accept(sv.act("DsoRules_MergeValidatorLicense", { validatorLicenseCids }));
  accept(ann.feature());
  for (const [user, validator] of [
    [ann, north],
    [cho, south],
  ] as const) {
    accept(user.giveRight(validator.party));
  }
}

function earn(stage: EconomyStage): void {
  const { ann, north, south, dso } = stage;
  const output = {
    receiver: ann.party,
    receiverFeeRatio: decimal("0.0"),
    amount: decimal("5.0"),
    lock: null,
  };
  const sending = { sender: ann.party, provider: ann.party, inputs: ann.coins(), outputs: [output] };
  const transfer = { ...sending, beneficiaries: null };
  const argument = { transfer, context: ann.context(), expectedDso: stage.network.dso };
  accept(ann.exercise("AmuletRules_Transfer", argument));
  dso.convertMarkers();
  for (const validator of [north, south]) accept(validator.reportLiveness());
  dso.receiveSvRewards();
}

/** The validator in the north, its user and two SVs mint; the others let it be. */
function mint(stage: EconomyStage): void {
  const { north, ann, network } = stage;
  const [reward, ...others] = ann.rewards() as [TransferInput, ...TransferInput[]];
  stage.batch(ann, [{ tag: "CO_MergeTransferInputs", value: {} }], [reward, ...ann.coins()]);
  delegate(stage, [...others, ...ann.coins()]);
  accept(north.mint());
  for (const sv of network.svs.slice(0, 2)) accept(new EconomyWallet(network, sv).mint());
}

/** The validator mints for its user. */
function delegate(stage: EconomyStage, inputs: readonly TransferInput[]): void {
  const { ann, north, network } = stage;
  const terms = { expiresAt: stage.inFuture(DAY), amuletMergeLimit: 10n };
  const delegation = { beneficiary: ann.party, delegate: north.party, dso: network.dso, ...terms };
  const proposal = createCommand(MintingDelegationProposal, { delegation });
  const [proposalCid] = stage.submit(ann, [ann.party], [proposal]) as [ContractId];
  const choice = "MintingDelegationProposal_Accept";
  const accepting = { existingDelegationCid: null };
  const [cid] = stage.use(north, [MintingDelegationProposal, proposalCid], choice, accepting) as [ContractId];
  const argument = { inputs, context: stage.context(ann) };
  const minting = exerciseCommand(MintingDelegation, cid, "MintingDelegation_Mint", argument);
  stage.submit(north, [north.party], [minting], { readAs: [ann.party] });
  stage.use(ann, [MintingDelegation, cid], "MintingDelegation_Withdraw", {});
}
