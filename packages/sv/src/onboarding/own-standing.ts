/**
 * The standing of a node among the network's SVs, once its replica has caught up. An SV acts. A candidate is on its way in. A
 * former SV follows the log and attests, and nothing else of it counts. Any other identity is a stranger's: a node that lost
 * its identity made itself another one, which the network does not know.
 */
import { DsoRules, type PartyId } from "@callsign/ledger";
import type { Log } from "@callsign/node";
import type { ScanIndex } from "@callsign/scan";
import type { Replica } from "@callsign/synchronizer";

export interface StandingParts {
  readonly id: string;
  readonly party: PartyId;
  readonly replica: Pick<Replica, "state">;
  readonly index: ScanIndex;
  /** The reason why a candidate is no SV yet; null for any other node. */
  readonly waitsFor: () => string | null;
  /** The log's head at the start. */
  readonly goal: () => number;
}

export interface OwnStanding {
  readonly isSv: () => boolean;
  /** The number of SVs before it, of all SVs. */
  readonly rank: () => number;
  /** The reason why the node acts for no SV; null if it acts, or has not caught up. */
  readonly problem: () => string | null;
  /** The error of a node that is, was and becomes no SV; null if there is none. */
  readonly stranger: () => Error | null;
}

export function ownStanding(parts: StandingParts): OwnStanding {
  const { id, party, replica, index, waitsFor, goal } = parts;
  const svs = () => replica.state.network?.svs ?? [];
  const isOutside = () => {
    const { head, network } = replica.state;
    return network !== null && head.sequence >= goal() && !network.svs.includes(id);
  };
  const isFormer = () =>
    index.contracts.find(DsoRules)?.payload.offboardedSvs.some(([sv]) => sv === party) === true;
  const stranger = () => {
    if (!isOutside() || isFormer() || waitsFor() !== null) return null;
    return new Error(
      `its identity ${id} is none of the network's SVs: restore identity.json in its data folder, or configure ` +
        "joinWithKeyOnboarding for an SV that joins the network",
    );
  };
  const problem = () => {
    if (!isOutside()) return null;
    if (isFormer())
      return `its SV, ${party}, was offboarded: it has no vote, and its stamps do not count. Stop it, and take it off the configuration of others`;
    return waitsFor() ?? stranger()?.message ?? null;
  };
  return {
    isSv: () => svs().includes(id),
    rank: () => Math.max(svs().indexOf(id), 0),
    ...{ problem, stranger },
  };
}

/** Logs that the node acts for no SV, once, and again after it has been one. */
export function logStanding(given: {
  readonly replica: Pick<Replica, "onApplied">;
  readonly standing: OwnStanding;
  readonly log: Log;
}): void {
  const { replica, standing, log } = given;
  let isKnown = false;
  const look = () => {
    const reason = standing.problem();
    if (reason !== null && !isKnown) log.warn({ reason }, "the node acts for no SV of the network");
    isKnown = reason !== null;
  };
  look();
  replica.onApplied(look);
}
