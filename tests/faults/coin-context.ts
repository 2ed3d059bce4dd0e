/** The coin's rules and an open round, as the scan that has the latest round shows them. They are read again while the load runs. */
import type { DisclosedContract, WireContract } from "../../packages/api/src/index.ts";
import type { SharedLogNetwork } from "../operator/shared-log-network.ts";

const READ_MILLISECONDS = 2000;
const ANSWER_MILLISECONDS = 10_000;
/** The network's time may be behind this clock. */
const OPEN_MARGIN_MILLISECONDS = 2000;

export interface CoinContracts {
  readonly dso: string;
  readonly rules: string;
  readonly round: string;
  readonly roundNumber: number;
  readonly disclosed: DisclosedContract[];
}

export class CoinContext {
  readonly #network: SharedLogNetwork;
  #known: CoinContracts | null = null;
  #readAt = Number.NEGATIVE_INFINITY;
  readonly #reading = new Set<number>();

  constructor(network: SharedLogNetwork) {
    this.#network = network;
  }

  /** The last contracts that were shown; they are read in the background. Null before the first answer. */
  get(): CoinContracts | null {
    if (performance.now() - this.#readAt > READ_MILLISECONDS) {
      this.#readAt = performance.now();
      for (const number of [1, 2, 3]) if (!this.#reading.has(number)) void this.#read(number);
    }
    return this.#known;
  }

  async #read(number: number): Promise<void> {
    this.#reading.add(number);
    try {
      const shown = await this.#readFrom(number);
      // A scan that is cut off shows rounds that are closed.
      if (this.#known === null || shown.roundNumber >= this.#known.roundNumber) this.#known = shown;
    } catch {
      // The last contracts may still do.
    } finally {
      this.#reading.delete(number);
    }
  }

  async #readFrom(number: number): Promise<CoinContracts> {
    const scan = this.#network.scan(number);
    const patience = { timeoutMilliseconds: ANSWER_MILLISECONDS };
    const body = { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] };
    const [{ amulet_rules_update }, { open_mining_rounds }] = await Promise.all([
      scan.getAmuletRules({ body: {} }, patience),
      scan.getOpenAndIssuingMiningRounds({ body }, patience),
    ]);
    const rules = whole(amulet_rules_update.contract);
    const rounds = Object.values(open_mining_rounds)
      .map(({ contract }) => whole(contract))
      .sort((a, b) => numberOf(a) - numberOf(b));
    // Of the rounds that are open by now, the last one stays open for longest.
    const round = whole(rounds.findLast(isOpen) ?? rounds[0]);
    return {
      dso: (rules.payload as { readonly dso: string }).dso,
      ...{ rules: rules.contract_id, round: round.contract_id, roundNumber: numberOf(round) },
      disclosed: [rules, round].map((contract) => ({
        contractId: contract.contract_id,
        createdEventBlob: contract.created_event_blob,
        templateId: contract.template_id,
        synchronizerId: "",
      })),
    };
  }
}

function numberOf({ payload }: WireContract): number {
  return Number((payload as { readonly round?: { readonly number?: string } }).round?.number);
}

function isOpen({ payload }: WireContract): boolean {
  const { opensAt } = payload as { readonly opensAt: string };
  return Date.parse(opensAt) + OPEN_MARGIN_MILLISECONDS < Date.now();
}

function whole(contract: WireContract | null | undefined): WireContract {
  if (contract === null || contract === undefined) throw new Error("scan shows no such contract");
  return contract;
}
