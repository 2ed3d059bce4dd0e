/** SVs of a simulated network come and go, as their apps and automations would have it. */

import { AmuletRules } from "../src/contracts/splice-amulet/declarations/amulet-rules.ts";
import { OpenMiningRound } from "../src/contracts/splice-amulet/declarations/round.ts";
import { onDsoRules } from "../src/contracts/splice-dso-governance/confirmed-actions.ts";
import { DsoRules } from "../src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import { SvOnboardingConfirmed } from "../src/contracts/splice-dso-governance/declarations/sv-onboarding.ts";
import { exerciseCommand } from "../src/engine/command.ts";
import type { Outcome } from "../src/transition/outcome.ts";
import { svSetMessage } from "../src/transition/sv-set.ts";
import { formatParticipantId } from "../src/values/participant-id.ts";
import type { PartyId } from "../src/values/party-id.ts";
import type { DsoActor } from "./dso-actor.ts";
import type { SimulatedMember, SimulatedNetwork } from "./simulated-network.ts";

/** A registered member becomes an SV: the SVs confirm it, and it joins. */
export function joinSv(
  dso: DsoActor,
  member: SimulatedMember,
  participantId = formatParticipantId(member.id),
): Outcome {
  const { network } = dso;
  const { party } = member;
  const action = onDsoRules({
    tag: "SRARC_ConfirmSvOnboarding",
    value: {
      newSvParty: party,
      newSvName: party.slice(0, party.indexOf("::")),
      newSvRewardWeight: 10_000n,
      newParticipantId: participantId,
      reason: "a new SV",
    },
  });
  decide(dso, action);
  const confirmed = network.active(SvOnboardingConfirmed, network.dso).at(-1);
  const rules = network.only(DsoRules).contractId;
  const amuletRulesCid = network.only(AmuletRules).contractId;
  const rounds = network.active(OpenMiningRound, network.dso).map(({ contractId }) => contractId);
  const [earliestRoundCid, middleRoundCid, latestRoundCid] = rounds;
  if (confirmed === undefined || !earliestRoundCid || !middleRoundCid || !latestRoundCid)
    throw new Error(`${party} cannot join yet`);
  const outcome = network.submit(member, {
    actAs: [party],
    commands: [
      exerciseCommand(DsoRules, rules, "DsoRules_AddConfirmedSv", {
        ...{ sv: party, svOnboardingConfirmedCid: confirmed.contractId, amuletRulesCid },
        ...{ earliestRoundCid, middleRoundCid, latestRoundCid },
      }),
    ],
    disclose: [rules, ...rounds],
  });
  if (network.network.svs.includes(member.id)) network.svs = [...network.svs, member];
  return outcome;
}

export function leaveSv(dso: DsoActor, sv: PartyId): Outcome {
  const { network } = dso;
  const outcome = decide(dso, onDsoRules({ tag: "SRARC_OffboardSv", value: { sv } }));
  network.svs = network.svs.filter(({ id }) => network.network.svs.includes(id));
  return outcome;
}

/** The member attests the last change of the SVs, or what it is told to. */
export function attest(
  network: SimulatedNetwork,
  member: SimulatedMember,
  message = lastSetMessage(network),
  key = member.namespaceKey,
): Outcome {
  const serial = network.network.svSerial ?? 0n;
  const value = { ...network.once(member.id), serial, signature: key.sign(message) };
  return network.append({ tag: "AttestSvs", value }, [member.signingKey]);
}

function lastSetMessage({ network, state }: SimulatedNetwork): string {
  const set = state.findSvSet(network.svSerial ?? 0n);
  return set === undefined ? "" : svSetMessage(network.id, set);
}

function decide(dso: DsoActor, action: Parameters<DsoActor["confirm"]>[1]): Outcome {
  const confirmers = dso.network.svs;
  for (const sv of confirmers) dso.confirm(sv, action);
  return dso.execute(action, confirmers);
}
