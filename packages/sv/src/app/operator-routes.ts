/** The network as the SV's operator sees it, and the SV's price. */
import { AmuletPriceVote, OpenMiningRound } from "@callsign/ledger";
import { type AutomationStatus, formatAutomationStatus } from "@callsign/node";
import type { DsoText } from "@callsign/scan";
import { SV_AUTOMATION_NAMES, type SvAutomationName } from "../automation/automations.ts";
import { MAX_SHOWN } from "../limits/limits.ts";
import { updatePriceVote } from "./price-votes.ts";
import { showContract } from "./show-contract.ts";
import type { SvApp, SvHandlers } from "./sv-app.ts";
import { SvAppError } from "./sv-app-error.ts";

export interface OperatorView {
  readonly dsoText: DsoText;
  readonly automations: {
    readonly list: () => readonly AutomationStatus[];
    readonly setPaused: (name: SvAutomationName, paused: boolean) => void;
  };
}

export function operatorRoutes(app: SvApp, { dsoText, automations }: OperatorView) {
  const { scan, index } = app;
  return {
    isAuthorized: () => undefined,
    getDsoInfo: () => dsoText.answer(),
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
    listAutomations: () => ({ automations: automations.list().map(formatAutomationStatus) }),
    pauseAutomation: ({ params, body }) => {
      const name = SV_AUTOMATION_NAMES.find((each) => each === params.automation);
      if (name !== undefined) automations.setPaused(name, body.paused);
      const status = automations.list().find(({ automation }) => automation === name);
      if (status === undefined) {
        const given = JSON.stringify(params.automation.slice(0, 100));
        throw new SvAppError(
          "not found",
          `${given} is no automation of an SV; there are ${SV_AUTOMATION_NAMES.join(", ")}`,
        );
      }
      return formatAutomationStatus(status);
    },
  } satisfies Partial<SvHandlers>;
}
