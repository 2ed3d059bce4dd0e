/** The coin's rules and an open round, as the scan that has the latest round shows them. They are read again while the load runs. */
import type { DisclosedContract, WireContract } from "../../packages/api/src/index.ts";
import type { SharedLogNetwork } from "../operator/shared-log-network.ts";

const READ_MILLISECONDS = 2000;
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
  #reading: Promise<void> | null = null;

  constructor(network: SharedLogNetwork) {
    this.#network = network;
  }

  /** The last contracts that were shown; they are read in the background. Null before the first answer. */
  get(): CoinContracts | null {
    if (this.#reading === null && performance.now() - this.#readAt > READ_MILLISECONDS)
      this.#reading = this.#read().finally(() => {
        this.#reading = null;
        this.#readAt = performance.now();
      });
    return this.#known;
  }

  async #read(): Promise<void> {
    const answers = await Promise.allSettled([1, 2, 3].map((number) => this.#readFrom(number)));
    // A scan that is cut off shows rounds that are closed. While none answers, the last contracts may still do.
    const shown = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
    this.#known = shown.toSorted((a, b) => b.roundNumber - a.roundNumber)[0] ?? this.#known;
  }

  async #readFrom(number: number): Promise<CoinContracts> {
    const scan = this.#network.scan(number);
    const patience = { timeoutMilliseconds: READ_MILLISECONDS };
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
