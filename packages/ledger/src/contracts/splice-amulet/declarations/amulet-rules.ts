/** Splice.AmuletRules: the coin's rules. Anybody may use them, by disclosure; the DSO signs them. */
import { list } from "../../../daml/collections.ts";
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { bool, contractId, int64, numeric, party } from "../../../daml/scalars.ts";
import { consuming, declareTemplate, nonConsuming } from "../../../engine/declaration.ts";
import { amuletPackage } from "../../packages.ts";
import { RelTime } from "../../rel-time.ts";
import { Metadata } from "../../splice-api-token-v1/metadata.ts";
import { TransferInstructionResult } from "../../splice-api-token-v1/transfer-instruction.ts";
import { AmuletCreateSummary } from "./amulet.ts";
import { AmuletConfig, AmuletConfigSchedule } from "./amulet-config.ts";
import { purchaseChoices } from "./purchases.ts";
import { retiredChoices } from "./retired-choices.ts";
import { rewardChoices } from "./reward-choices.ts";
import { Round } from "./round-number.ts";
import { Transfer, TransferContext, TransferResult } from "./transfer.ts";

const amuletRulesFields = {
  dso: party,
  configSchedule: AmuletConfigSchedule,
  isDevNet: bool,
  contractStateSchemaVersion: optional(int64),
} as const;

/** Three open rounds with consecutive numbers, the oldest first. */
export const OpenMiningRoundTriple = record({
  round0Cid: contractId,
  round1Cid: contractId,
  round2Cid: contractId,
});
export type OpenMiningRoundTriple = ValueOf<typeof OpenMiningRoundTriple>;

export const AmuletRules = declareTemplate({
  package: amuletPackage,
  module: "Splice.AmuletRules",
  entity: "AmuletRules",
  fields: amuletRulesFields,
  choices: {
    AmuletRules_Transfer: nonConsuming(
      { transfer: Transfer, context: TransferContext, expectedDso: optional(party) },
      TransferResult,
    ),
    ...purchaseChoices,
    ...rewardChoices,
    ...retiredChoices,
    AmuletRules_Mint: nonConsuming(
      { receiver: party, amount: numeric, openRound: contractId },
      record({ amuletSum: AmuletCreateSummary }),
    ),
    AmuletRules_DevNet_Tap: nonConsuming(
      { receiver: party, amount: numeric, openRound: contractId },
      record({ amuletSum: AmuletCreateSummary, meta: optional(Metadata) }),
    ),
    AmuletRules_DevNet_FeatureApp: nonConsuming(
      { provider: party },
      record({ featuredAppRightCid: contractId }),
    ),
    AmuletRules_Bootstrap_Rounds: nonConsuming(
      { amuletPrice: numeric, round0Duration: RelTime, initialRound: optional(int64) },
      record({ openMiningRoundCid: contractId, initialRound: optional(Round) }),
    ),
    AmuletRules_AdvanceOpenMiningRounds: nonConsuming(
      {
        amuletPrice: numeric,
        roundToArchiveCid: contractId,
        middleRoundCid: contractId,
        latestRoundCid: contractId,
      },
      record({ summarizingRoundCid: contractId, openRoundCid: contractId }),
    ),
    AmuletRules_BootstrapExternalPartyConfigState: nonConsuming({
      openMiningRoundTriple: OpenMiningRoundTriple,
      expectedDso: party,
    }),
    AmuletRules_UpdateExternalPartyConfigStates: nonConsuming(
      {
        externalPartyConfigStateCid0: contractId,
        externalPartyConfigStateCid1: contractId,
        openMiningRoundTriple: OpenMiningRoundTriple,
      },
      record({ newExternalPartyConfigStateCid: contractId }),
    ),
    AmuletRules_Amulet_ExpireTransferInstructions: nonConsuming(
      {
        expectedDso: party,
        inputs: list(record({ transferInstructionCid: contractId, expireLock: bool })),
        observers: list(party),
      },
      record({ results: list(TransferInstructionResult) }),
    ),
    AmuletRules_Fetch: nonConsuming({ p: party }, record(amuletRulesFields)),
    AmuletRules_SetConfig: consuming(
      { newConfig: AmuletConfig, baseConfig: AmuletConfig },
      record({ newAmuletRules: contractId }),
    ),
  },
});
export type AmuletRules = ValueOf<(typeof AmuletRules)["record"]>;
