/**
 * A part of the state of an earlier log. The SVs have signed its hash with the log's first entry: a part that is awaited
 * and cannot be taken over stops the replica, any other part changes nothing. Contracts keep their ids, payloads and
 * times; they come as a transaction that only creates, so that streams and indexes take them in like any other.
 */
import { DecodeError } from "../daml/decode-error.ts";
import { type Contract, isAuthentic } from "../engine/contract.ts";
import type { Engine } from "../engine/interpret.ts";
import { decodeContract, type LiveContract } from "../engine/live-contract.ts";
import type { CreateNode } from "../engine/transaction.ts";
import { ledgerError } from "../errors/ledger-error.ts";
import type { ContractId } from "../values/contract-id.ts";
import { multihash } from "../values/hash.ts";
import { show } from "../values/parsed.ts";
import type { Time } from "../values/time.ts";
import type { ImportState } from "./continuation-content.ts";
import { findMemberProblem, memberOf } from "./continue-network.ts";
import type { Change, LedgerView, Network } from "./ledger-view.ts";
import { MAX_CONTENT_BYTES, MAX_PART_BYTES } from "./limits.ts";
import { isBackedTime } from "./network-beginning.ts";
import { accepted, effectsOf, rejected, type Verdict } from "./outcome.ts";
import { ReplicaHalt } from "./replica-halt.ts";

const SUM = /^\d{1,100}$/;

/** The largest content that may have this hash. */
export function maxBytesOf({ network }: LedgerView, contentHash: string): number {
  return isAwaited(network, contentHash) ? MAX_PART_BYTES : MAX_CONTENT_BYTES;
}

function isAwaited(network: Network | null, contentHash: string): boolean {
  return network?.awaitedParts?.[0] === contentHash;
}

export function importState(given: {
  readonly engine: Engine;
  readonly view: LedgerView;
  readonly part: ImportState;
  readonly seed: string;
  readonly now: Time;
}): Verdict {
  const { engine, view, part, seed, now } = given;
  const { network } = view;
  if (network === null || !isAwaited(network, seed))
    return rejected(ledgerError("INVALID_ARGUMENT", "No such part of an earlier state is awaited"));
  // Programs of earlier versions cannot read such a part.
  if (!isBackedTime(network) && part.traffic.some(({ isNewcomer }) => isNewcomer !== null))
    return rejected(ledgerError("INVALID_ARGUMENT", "The part has fields of a later protocol version"));
  const problem = part.members.map((member) => findMemberProblem(engine.hash, member)).find(Boolean);
  if (problem) throw damaged(problem);
  for (const { units } of part.rewards) readSum(units);
  const changes = changesOf(given, network);
  const nodes = createNodes(engine, view, part.contracts);
  if (nodes.length === 0) return accepted(changes);
  const updateId = multihash(engine.hash(`${network.id}\n${seed}`));
  const transaction = { updateId, ledgerTime: now, nodes };
  return { kind: "accepted", transaction, effects: effectsOf(transaction), changes };
}

function changesOf(
  { engine, part }: { readonly engine: Engine; readonly part: ImportState },
  network: Network,
): readonly Change[] {
  const awaitedParts = network.awaitedParts?.slice(1) ?? [];
  const changes: Change[] = [{ kind: "network", network: { ...network, awaitedParts } }];
  for (const member of part.members) changes.push({ kind: "member", member: memberOf(engine.hash, member) });
  for (const hosting of part.hostings) changes.push({ kind: "hosting", hosting });
  for (const { purchased, consumed, isNewcomer, ...rest } of part.traffic) {
    const sums = { purchased: readSum(purchased), consumed: readSum(consumed) };
    const account = { ...rest, ...sums, ...(isNewcomer === true && { isNewcomer }) };
    changes.push({ kind: "traffic", account });
  }
  for (const { key, ...command } of part.commands) changes.push({ kind: "command", key, command });
  return changes;
}

function createNodes(
  engine: Engine,
  view: LedgerView,
  contracts: readonly Contract[],
): readonly CreateNode[] {
  const seen = new Set<ContractId>();
  return contracts.map((contract, nodeId) => {
    const { contractId } = contract;
    if (seen.has(contractId) || view.findContract(contractId) !== undefined)
      throw damaged(`contract ${contractId} comes twice`);
    seen.add(contractId);
    const { value, signatories, observers } = readContract(engine, contract);
    return { kind: "create", nodeId, contract, value, signatories, observers };
  });
}

/** The contract id shows that the contract is genuine, as with a disclosed one. */
function readContract({ catalogue, hash }: Engine, contract: Contract): LiveContract {
  if (!isAuthentic(hash, contract)) throw damaged(`contract ${contract.contractId} is not what its id says`);
  try {
    const live = decodeContract(catalogue, contract);
    if (live.template.payload.encode(live.value) === contract.payload) return live;
    throw damaged(`the payload of contract ${contract.contractId} is not in its canonical form`);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw damaged(`contract ${contract.contractId} cannot be read: ${error.message}`);
  }
}

function readSum(digits: string): bigint {
  if (!SUM.test(digits)) throw damaged(`${show(digits)} is no sum`);
  return BigInt(digits);
}

function damaged(problem: string): ReplicaHalt {
  return new ReplicaHalt(`a part of the earlier state cannot be taken over: ${problem}`);
}
