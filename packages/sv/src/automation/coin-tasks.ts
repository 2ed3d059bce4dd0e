/**
 * Coin that has cost as much in holding fees as it is worth is removed, a hundred at a time, once both configuration
 * states have reached the round in which it was used up. Which coins these are is looked up by that round.
 */
import { Amulet, type ContractId, ExternalPartyConfigState, LockedAmulet } from "@callsign/ledger";
import { exerciseDsoRules } from "./exercise-dso-rules.ts";
import type { Deciding } from "./ledger-facts.ts";
import type { Automation, Task } from "./task.ts";

const BATCH = 100;
/** The others follow once these are gone. */
const COINS_AT_ONCE = 400;
/** There are two at a time. */
const CONFIG_STATES = 10;

interface Expiring {
  readonly automation: Automation;
  readonly choice: "DsoRules_Amulet_ExpireV2" | "DsoRules_LockedAmulet_ExpireAmuletV2";
}

const EXPIRING: ReadonlyMap<string, Expiring> = new Map([
  [Amulet.id, { automation: "expire-coin", choice: "DsoRules_Amulet_ExpireV2" }],
  [LockedAmulet.id, { automation: "expire-locked-coin", choice: "DsoRules_LockedAmulet_ExpireAmuletV2" }],
]);

export function listCoinTasks(deciding: Deciding): readonly Task[] {
  const { facts } = deciding;
  const states = facts.list(ExternalPartyConfigState, 0n, CONFIG_STATES);
  const [first, second] = states.toSorted((a, b) => Number(roundOf(a) - roundOf(b)));
  if (first === undefined || second === undefined) return [];
  const byTemplate = new Map<string, ContractId[]>();
  for (const contractId of facts.agenda.coins.listExpired(roundOf(first), COINS_AT_ONCE)) {
    const templateId = facts.contracts.findContract(contractId)?.templateId;
    if (templateId === undefined || !EXPIRING.has(templateId)) continue;
    byTemplate.set(templateId, [...(byTemplate.get(templateId) ?? []), contractId]);
  }
  return [...byTemplate].flatMap(([templateId, cids]) => {
    const expiring = EXPIRING.get(templateId) as Expiring;
    return inBatches(cids).map((batch) =>
      expire(deciding, expiring, batch, [first.contractId, second.contractId]),
    );
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
  { rules, sv }: Deciding,
  { automation, choice }: Expiring,
  cids: readonly ContractId[],
  [externalPartyConfigState0Cid, externalPartyConfigState1Cid]: readonly [ContractId, ContractId],
): Task {
  const choiceArg = { externalPartyConfigState0Cid, externalPartyConfigState1Cid };
  const commands = cids.map((cid) => exerciseDsoRules(rules, sv, choice, { cid, choiceArg }));
  const states = `${externalPartyConfigState0Cid} ${externalPartyConfigState1Cid}`;
  const key = `expire ${cids.length} ${cids[0]} ${cids.at(-1)} ${states}`;
  return { automation, key, commands, enough: 1 };
}

function inBatches(cids: readonly ContractId[]): readonly (readonly ContractId[])[] {
  const count = Math.ceil(cids.length / BATCH);
  return Array.from({ length: count }, (_, i) => cids.slice(i * BATCH, (i + 1) * BATCH));
}
