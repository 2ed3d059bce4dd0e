/**
 * The terms of a founding are checked before any contract is created: names have to fit, and the
 * configuration has to speak of this network's own synchronizer.
 */
import { MAX_ENTRY_NAME_LENGTH, maxLabelLength, nameSuffix } from "../names/entry-name.ts";
import { listWellKnownEntries } from "../names/well-known-entries.ts";
import { show } from "../values/parsed.ts";
import type { PartyId } from "../values/party-id.ts";
import type { FoundNetwork } from "./entry-content.ts";
import { findToleranceProblem } from "./network-beginning.ts";

const MAX_ACRONYM_LENGTH = MAX_ENTRY_NAME_LENGTH - nameSuffix("").length - 1;

/** The fault, with what was given and what is allowed; null if there is none. */
export function findFoundingProblem(
  entry: FoundNetwork,
  { dso, synchronizerId }: { readonly dso: PartyId; readonly synchronizerId: string },
): string | null {
  return (
    findNameProblem(entry, dso) ??
    findNumberProblem(entry) ??
    findToleranceProblem(entry) ??
    findSynchronizerProblem(entry, synchronizerId)
  );
}

function findNameProblem({ acronym, svs }: FoundNetwork, dso: PartyId): string | null {
  if (maxLabelLength(acronym) < 1) {
    return (
      `acronym ${show(acronym)} has ${acronym.length} characters: at most ${MAX_ACRONYM_LENGTH} leave room for a ` +
      `name, which has at most ${MAX_ENTRY_NAME_LENGTH} in all. Choose a shorter acronym`
    );
  }
  const parties = svs.map(({ name, partyHint }) => ({ name, party: partyHint }));
  const tooLong = listWellKnownEntries({ acronym, dso, svs: parties }).find(
    ({ name }) => name.length > MAX_ENTRY_NAME_LENGTH,
  );
  if (tooLong === undefined) return null;
  return (
    `well-known name ${show(tooLong.name)} has ${tooLong.name.length} characters: at most ` +
    `${MAX_ENTRY_NAME_LENGTH} are allowed. Choose a shorter SV name or acronym`
  );
}

function findNumberProblem({ migrationId }: FoundNetwork): string | null {
  return migrationId >= 0n
    ? null
    : `migrationId ${migrationId} is negative: migrations count up from 0. Give 0 for a first network`;
}

function findSynchronizerProblem(
  { amuletConfig, dsoRulesConfig }: FoundNetwork,
  synchronizerId: string,
): string | null {
  const { activeSynchronizer, requiredSynchronizers } = amuletConfig.decentralizedSynchronizer;
  const { activeSynchronizerId } = dsoRulesConfig.decentralizedSynchronizer;
  const named: readonly (readonly [field: string, given: readonly string[]])[] = [
    ["amuletConfig.decentralizedSynchronizer.activeSynchronizer", [activeSynchronizer]],
    [
      "amuletConfig.decentralizedSynchronizer.requiredSynchronizers",
      requiredSynchronizers.map.map(([id]) => id),
    ],
    ["dsoRulesConfig.decentralizedSynchronizer.activeSynchronizerId", [activeSynchronizerId]],
  ];
  for (const [field, given] of named) {
    if (given.length === 1 && given[0] === synchronizerId) continue;
    return (
      `${field} is ${show(given.join(", "))}: this network has one synchronizer, ${synchronizerId}. ` +
      "Name that one"
    );
  }
  return null;
}
