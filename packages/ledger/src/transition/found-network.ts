/**
 * The founding: one entry makes the network, its members, the DSO and the first contracts. It is signed by all
 * founding SVs, and it is the only entry that acts as the DSO.
 */
import { NameCare } from "../contracts/callsign-names/declarations/names.ts";
import { DsoBootstrap, DsoRules } from "../contracts/splice-dso-governance/declarations/dso-rules.ts";
import type { Engine } from "../engine/interpret.ts";
import type { Interpretation } from "../engine/interpretation.ts";
import { ledgerError } from "../errors/ledger-error.ts";
import type { ContractId } from "../values/contract-id.ts";
import { formatParticipantId } from "../values/participant-id.ts";
import { formatPartyId, type PartyId } from "../values/party-id.ts";
import type { FoundingSv, FoundNetwork } from "./entry-content.ts";
import { findFoundingProblem } from "./founding-terms.ts";
import { dsoNamespaceOf, fingerprintOf, isPublicKey, memberIdOf } from "./key.ts";
import type { Change, Network } from "./ledger-view.ts";
import {
  isBackedTime,
  type NetworkBeginning,
  networkIdOf,
  requireVersion,
  toleranceOf,
} from "./network-beginning.ts";
import { effectsOf, rejected, type Verdict } from "./outcome.ts";
import { firstStamps } from "./record-time.ts";
import { isSigningKeySet } from "./topology.ts";
import { trafficLimits } from "./traffic.ts";

/** ASCII has one lower case in every version of Unicode. */
const PRINTABLE = /^[ -~]{1,100}$/;

interface FoundingMember {
  readonly sv: FoundingSv;
  readonly id: PartyId;
  readonly party: PartyId;
}

export function foundNetwork(given: NetworkBeginning<FoundNetwork> & { readonly engine: Engine }): Verdict {
  const { engine, entry, seed, now, keys } = given;
  const { hash } = engine;
  const namespace = dsoNamespaceOf(
    hash,
    entry.svs.map(({ namespaceKey }) => namespaceKey),
  );
  const dso = formatPartyId({ hint: entry.dsoHint, namespace });
  const synchronizer = formatPartyId({ hint: entry.synchronizerName, namespace });
  const members = listMembers(engine, entry);
  if (!dso.ok || !synchronizer.ok || members === null || !PRINTABLE.test(entry.acronym)) {
    const cause =
      "The DSO, the synchronizer and every SV need valid hints, the SVs distinct names and keys; " +
      "names and the acronym are 1 to 100 characters of printable ASCII";
    return rejected(ledgerError("INVALID_ARGUMENT", cause));
  }
  const problem = findFoundingProblem(entry, { dso: dso.value, synchronizerId: synchronizer.value });
  if (problem !== null) {
    return rejected(ledgerError("INVALID_ARGUMENT", `The network cannot be founded: ${problem}`));
  }
  const unsigned = members.find(
    ({ sv }) => ![sv.namespaceKey, ...sv.signingKeys].every((key) => keys.includes(key)),
  );
  if (unsigned !== undefined) {
    return rejected(
      ledgerError("UNAUTHENTICATED", `The founding is not signed by all keys of ${unsigned.id}`),
    );
  }
  requireVersion(entry.protocolVersion, given.supportedVersions);
  const outcome = engine.perform({ seed, now, actAs: [dso.value] }, (interpretation) =>
    createFirstContracts(interpretation, entry, dso.value, members),
  );
  if (outcome.kind === "failure") {
    return { kind: "rejected", error: outcome.error, defect: outcome.defect, changes: [] };
  }
  const network: Network = {
    id: networkIdOf(hash, given),
    dso: dso.value,
    synchronizerId: synchronizer.value,
    migrationId: entry.migrationId,
    acronym: entry.acronym.toLowerCase(),
    protocolVersion: entry.protocolVersion,
    svs: members.map(({ id }) => id),
    movableClock: entry.movableClock,
    clockOffset: 0n,
    ...toleranceOf(entry),
    ...trafficLimits(entry.amuletConfig),
  };
  const { transaction } = outcome;
  const stamps = isBackedTime(entry) ? firstStamps(network.svs, now, network.clockOffset) : [];
  const topology = topologyOf(engine, network, members);
  const changes: readonly Change[] = [{ kind: "network", network }, ...topology, ...stamps];
  return { kind: "accepted", transaction, effects: effectsOf(transaction), changes };
}

function listMembers({ hash }: Engine, { svs }: FoundNetwork): readonly FoundingMember[] | null {
  const members: FoundingMember[] = [];
  for (const sv of svs) {
    const id = memberIdOf(hash, sv.nodeIdentifier, sv.namespaceKey);
    const party = formatPartyId({ hint: sv.partyHint, namespace: fingerprintOf(hash, sv.namespaceKey) });
    if (!id.ok || !party.ok || !isPublicKey(sv.namespaceKey) || !isSigningKeySet(sv.signingKeys)) return null;
    members.push({ sv, id: id.value, party: party.value });
  }
  const namespaces = new Set(svs.map(({ namespaceKey }) => namespaceKey));
  const names = new Set(svs.map(({ name }) => name.toLowerCase()));
  const distinct = namespaces.size === svs.length && names.size === svs.length;
  return svs.length > 0 && distinct && svs.every(({ name }) => PRINTABLE.test(name)) ? members : null;
}

/** SVs host their own party and, all of them, the DSO. */
function topologyOf(
  { hash }: Engine,
  network: Network,
  members: readonly FoundingMember[],
): readonly Change[] {
  const changes: Change[] = [
    { kind: "hosting", hosting: { party: network.dso, hosts: network.svs, serial: 1n } },
  ];
  for (const { sv, id, party } of members) {
    const { namespaceKey, signingKeys } = sv;
    const namespace = fingerprintOf(hash, namespaceKey);
    changes.push({ kind: "member", member: { id, namespaceKey, namespace, signingKeys, keySerial: 1n } });
    changes.push({ kind: "hosting", hosting: { party, hosts: [id], serial: 1n } });
  }
  return changes;
}

/** The first SV's bootstrap creates the rules; the others are added to them in the same transaction. */
function createFirstContracts(
  interpretation: Interpretation,
  entry: FoundNetwork,
  dso: PartyId,
  members: readonly FoundingMember[],
): void {
  const [first, ...others] = members;
  if (first === undefined) return;
  const bootstrap = interpretation.create(DsoBootstrap, {
    dso,
    sv1Party: first.party,
    sv1Name: first.sv.name,
    sv1RewardWeight: first.sv.rewardWeight,
    sv1ParticipantId: formatParticipantId(first.id),
    sv1SynchronizerNodes: [],
    round0Duration: entry.round0Duration,
    amuletConfig: entry.amuletConfig,
    amuletPrice: entry.amuletPrice,
    ansRulesConfig: entry.ansRulesConfig,
    config: entry.dsoRulesConfig,
    initialTrafficState: [],
    isDevNet: entry.isDevNet,
    initialRound: entry.initialRound,
  });
  interpretation.exercise(DsoBootstrap, bootstrap, "DsoBootstrap_Bootstrap", {});
  let rules = findCreated(interpretation, DsoRules.id);
  for (const { sv, id, party } of others) {
    rules = interpretation.exercise(DsoRules, rules, "DsoRules_AddSv", {
      newSvParty: party,
      newSvName: sv.name,
      newSvRewardWeight: sv.rewardWeight,
      newSvParticipantId: formatParticipantId(id),
      joinedAsOfRound: { number: entry.initialRound ?? 0n },
    }).newDsoRules;
  }
  interpretation.create(NameCare, { dso });
}

function findCreated({ nodes }: Interpretation, templateId: string): ContractId {
  for (const node of nodes) {
    if (node.kind === "create" && node.contract.templateId === templateId) return node.contract.contractId;
  }
  throw new Error(`the bootstrap did not create ${templateId}`);
}
