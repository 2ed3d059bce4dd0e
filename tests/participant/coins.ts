/** Coins for tests: tapped with the rules and the round that scan shows, disclosed to the submission. */
import { createClient, scanApi, type WireContract } from "../../packages/api/src/index.ts";
import type { LedgerClient, TestNetwork } from "./test-network.ts";

export const AMULET = "#splice-amulet:Splice.Amulet:Amulet";
export const HOLDING = "#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding";

export async function tap(
  network: TestNetwork,
  client: LedgerClient,
  party: string,
  amount = "10.0",
): Promise<string> {
  const scan = createClient(scanApi, {
    fetch: (url, init) => fetch(url, init),
    baseUrl: `${network.svs[0]?.scanUrl}/api/scan`,
  });
  const { amulet_rules_update } = await scan.getAmuletRules({ body: {} });
  const rounds = await scan.getOpenAndIssuingMiningRounds({
    body: { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] },
  });
  const rules = amulet_rules_update.contract;
  const round = Object.values(rounds.open_mining_rounds)
    .map(({ contract }) => contract)
    .filter((contract) => contract !== null && contract !== undefined)
    .sort((a, b) => numberOf(a) - numberOf(b))[0];
  if (rules === null || rules === undefined || round === undefined || round === null) {
    throw new Error("scan shows neither rules nor rounds");
  }
  const { transaction } = await client.submitAndWaitForTransaction({
    body: {
      commands: {
        commandId: `tap-${crypto.randomUUID()}`,
        actAs: [party],
        commands: [
          {
            ExerciseCommand: {
              templateId: "#splice-amulet:Splice.AmuletRules:AmuletRules",
              contractId: rules.contract_id,
              choice: "AmuletRules_DevNet_Tap",
              choiceArgument: { receiver: party, amount, openRound: round.contract_id },
            },
          },
        ],
        disclosedContracts: [rules, round].map(({ contract_id, created_event_blob, template_id }) => ({
          contractId: contract_id,
          createdEventBlob: created_event_blob,
          templateId: template_id,
        })),
      },
    },
  });
  const coin = transaction.events.find((event) => "CreatedEvent" in event);
  if (coin === undefined || !("CreatedEvent" in coin)) throw new Error("no coin was made");
  return coin.CreatedEvent.contractId;
}

function numberOf({ payload }: WireContract): number {
  return Number((payload as { readonly round?: { readonly number?: string } }).round?.number);
}
