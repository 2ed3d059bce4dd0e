/** The DSO's information as the text of its answer, which is long and changes with its contracts only. */
import type { DsoInfo } from "@callsign/api";
import type { PartyId } from "@callsign/ledger";
import { RawJson } from "@callsign/node";
import { areSameContracts, type DsoContracts, describeDso, findDsoContracts } from "../contracts/dso-info.ts";
import type { ScanIndex } from "../rows/scan-index.ts";
import { showWithState } from "../wire/wire-contract.ts";
import { refuseUnfounded } from "./refuse-unfounded.ts";

/** The SV whose scan this is. */
export interface AnsweringSv {
  /** The user of its operator. */
  readonly user: string;
  readonly party: PartyId;
}

interface KeptText {
  readonly contracts: DsoContracts;
  readonly text: string;
}

export class DsoText {
  readonly #index: () => ScanIndex;
  readonly #sv: AnsweringSv;
  #kept: KeptText | null = null;

  constructor(index: () => ScanIndex, sv: AnsweringSv) {
    this.#index = index;
    this.#sv = sv;
  }

  /** Null until the network is founded. */
  find(): string | null {
    const index = this.#index();
    const contracts = findDsoContracts(index.contracts);
    if (contracts === undefined) return null;
    const kept = this.#kept;
    if (kept !== null && areSameContracts(kept.contracts, contracts)) return kept.text;
    const info = showDso(index, contracts, this.#sv);
    if (info === null) return null;
    const text = JSON.stringify(info);
    this.#kept = { contracts, text };
    return text;
  }

  answer(): RawJson {
    return new RawJson(this.find() ?? refuseUnfounded());
  }
}

function showDso(
  { openedRounds, network }: ScanIndex,
  contracts: DsoContracts,
  sv: AnsweringSv,
): DsoInfo | null {
  const initialRound = openedRounds.findFirst();
  if (initialRound === undefined || network === null) return null;
  const { synchronizerId } = network;
  const { dso, votingThreshold, svNodeStates } = describeDso(contracts);
  return {
    sv_user: sv.user,
    sv_party_id: sv.party,
    dso_party_id: dso,
    voting_threshold: votingThreshold,
    latest_mining_round: showWithState(contracts.latestMiningRound, synchronizerId),
    amulet_rules: showWithState(contracts.amuletRules, synchronizerId),
    dso_rules: showWithState(contracts.dsoRules, synchronizerId),
    sv_node_states: svNodeStates.map((state) => showWithState(state, synchronizerId)),
    initial_round: `${initialRound}`,
  };
}
