/**
 * Coin whose holding fees have used it up is removed, a hundred at a time, once both configuration states have reached
 * the round in which that happened. The agenda finds such coins by that round.
 */
import { type Amulet, type ContractId, ExternalPartyConfigState, type LockedAmulet } from "@callsign/ledger";
import { COINS } from "../../kinds/subject.ts";
import { BATCH, BATCHED_AT_ONCE, FEW } from "../../limits/limits.ts";
import { type DecidedTask, type Deciding, type DsoAutomation, defineAutomation } from "../dso-automation.ts";
import { inBatches } from "../in-batches.ts";

type ExpiryChoice = "DsoRules_Amulet_ExpireV2" | "DsoRules_LockedAmulet_ExpireAmuletV2";

export function expireUsedUpCoin<const Name extends string>(
  name: Name,
  template: typeof Amulet | typeof LockedAmulet,
  choice: ExpiryChoice,
): DsoAutomation<Name> {
  return defineAutomation({
    name,
    subjects: ["coins"],
    listPiles: () => [COINS],
    decide: (deciding) => {
      const { facts } = deciding;
      const states = facts.list(ExternalPartyConfigState, FEW);
      const [first, second] = states.toSorted((a, b) => Number(roundOf(a) - roundOf(b)));
      if (first === undefined || second === undefined) return [];
      const expired = facts.agenda.coins.listExpired(roundOf(first), BATCHED_AT_ONCE);
      const cids = expired.filter((cid) => facts.contracts.findContract(cid)?.templateId === template.id);
      const configStates = [first.contractId, second.contractId] as const;
      return inBatches(cids, BATCH).map((batch) => expire(deciding, choice, batch, configStates));
    },
  });
}

function roundOf({
  payload,
}: {
  readonly payload: { readonly holdingFeesOpenRoundNumber: { readonly number: bigint } };
}) {
  return payload.holdingFeesOpenRoundNumber.number;
}

function expire(
  { exercise }: Deciding,
  choice: ExpiryChoice,
  cids: readonly ContractId[],
  [externalPartyConfigState0Cid, externalPartyConfigState1Cid]: readonly [ContractId, ContractId],
): DecidedTask {
  const choiceArg = { externalPartyConfigState0Cid, externalPartyConfigState1Cid };
  const commands = cids.map((cid) => exercise(choice, { cid, choiceArg }));
  const states = `${externalPartyConfigState0Cid} ${externalPartyConfigState1Cid}`;
  return { key: `expire ${cids.length} ${cids[0]} ${cids.at(-1)} ${states}`, commands, takes: 1 };
}
