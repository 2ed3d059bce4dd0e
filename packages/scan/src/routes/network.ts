/** The network: its DSO and its SVs. */

import { unexpectedError } from "@callsign/api";
import type { PartyId } from "@callsign/ledger";
import { Refusal } from "@callsign/node";
import { findDsoInfo } from "../contracts/dso-info.ts";
import type { ScanIndex } from "../rows/scan-index.ts";
import { showWithState } from "../wire/wire-contract.ts";
import type { ScanHandlers } from "./scan-handlers.ts";

/** The SV whose scan this is. */
export interface AnsweringSv {
  /** The user of its operator. */
  readonly user: string;
  readonly party: PartyId;
}

interface NetworkParts {
  readonly index: () => ScanIndex;
  readonly sv: AnsweringSv;
}

export function networkRoutes({ index, sv }: NetworkParts) {
  return {
    getDsoInfo: () => {
      const { contracts, openedRounds, network } = index();
      const info = findDsoInfo(contracts, openedRounds.findFirst());
      if (info === undefined || network === null) throw new Refusal(unexpectedError());
      const { synchronizerId } = network;
      return {
        sv_user: sv.user,
        sv_party_id: sv.party,
        dso_party_id: info.dso,
        voting_threshold: info.votingThreshold,
        latest_mining_round: showWithState(info.latestMiningRound, synchronizerId),
        amulet_rules: showWithState(info.amuletRules, synchronizerId),
        dso_rules: showWithState(info.dsoRules, synchronizerId),
        sv_node_states: info.svNodeStates.map((state) => showWithState(state, synchronizerId)),
        initial_round: `${info.initialRound}`,
      };
    },
    getDsoPartyId: () => {
      const { network } = index();
      if (network === null) throw new Refusal(unexpectedError());
      return { dso_party_id: network.dso };
    },
  } satisfies ScanHandlers;
}
