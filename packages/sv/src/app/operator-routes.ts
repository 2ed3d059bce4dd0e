/** The network as the SV's operator sees it, and the SV's price. */
import { AmuletPriceVote, OpenMiningRound } from "@callsign/ledger";
import { type AutomationStatus, formatAutomationStatus } from "@callsign/node";
import { networkRoutes } from "@callsign/scan";
import { MAX_SHOWN } from "../limits/limits.ts";
import { updatePriceVote } from "./price-votes.ts";
import { showContract } from "./show-contract.ts";
import type { SvApp, SvHandlers } from "./sv-app.ts";

export interface OperatorView {
  /** The operator's user name on the network. */
  readonly user: string;
  readonly automations: () => readonly AutomationStatus[];
}

export function operatorRoutes(app: SvApp, { user, automations }: OperatorView) {
  const { scan, party, index } = app;
  const { getDsoInfo } = networkRoutes({ index: () => scan, sv: { user, party } });
  return {
    isAuthorized: () => undefined,
    getDsoInfo,
    listOpenMiningRounds: () => ({
      open_mining_rounds: scan.contracts
        .list(OpenMiningRound)
        .map(({ contract }) => showContract(app, OpenMiningRound, contract.contractId)),
    }),
    listAmuletPriceVotes: () => ({
      amulet_price_votes: index.contracts
        .list(AmuletPriceVote, MAX_SHOWN)
        .map((contractId) => showContract(app, AmuletPriceVote, contractId)),
    }),
    updateAmuletPriceVote: ({ body }) => updatePriceVote(app, body.amulet_price),
    listAutomations: () => ({ automations: automations().map(formatAutomationStatus) }),
  } satisfies Partial<SvHandlers>;
}
