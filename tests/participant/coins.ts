/** Coins for tests: tapped with the rules and the round that scan shows, disclosed to the submission. */
import { createClient, scanApi, type Transaction, type WireContract } from "../../packages/api/src/index.ts";
import type { JsonValue } from "../../packages/ledger/src/index.ts";
import type { LedgerClient } from "../support/participants.ts";
import type { SvNodes } from "../support/sv-nodes.ts";

export const AMULET = "#splice-amulet:Splice.Amulet:Amulet";
export const HOLDING = "#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding";

/** The rules of coins and the round that is open, as scan shows them. */
async function findRules(network: SvNodes): Promise<{ rules: WireContract; round: WireContract }> {
  const scan = createClient(scanApi, { fetch, baseUrl: `${network.svs[0]?.scanUrl}/api/scan` });
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
  return { rules, round };
}

/** Exercises a choice of the rules. `make` gets the round, the arguments that choices share, and the rules. */
export async function useRules(
  network: SvNodes,
  client: LedgerClient,
  { actAs, choice }: { readonly actAs: string[]; readonly choice: string },
  make: (openRound: string, shared: Readonly<Record<string, JsonValue>>, amuletRules: string) => JsonValue,
): Promise<Transaction> {
  const { rules, round } = await findRules(network);
  const { contract_id: contractId, payload } = rules;
  const context = { issuingMiningRounds: [], validatorRights: [], featuredAppRight: null };
  const shared = {
    context: { ...context, openMiningRound: round.contract_id },
    expectedDso: (payload as { readonly dso: string }).dso,
  };
  const choiceArgument = make(round.contract_id, shared, contractId);
  const templateId = "#splice-amulet:Splice.AmuletRules:AmuletRules";
  const commands = {
    commandId: `${choice}-${crypto.randomUUID()}`,
    actAs,
    commands: [{ ExerciseCommand: { templateId, contractId, choice, choiceArgument } }],
    disclosedContracts: [rules, round].map(({ contract_id, created_event_blob, template_id }) => ({
      contractId: contract_id,
      createdEventBlob: created_event_blob,
      templateId: template_id,
    })),
  };
  return (await client.submitAndWaitForTransaction({ body: { commands } })).transaction;
}

export async function tap(
  network: SvNodes,
  client: LedgerClient,
  party: string,
  amount = "10.0",
): Promise<string> {
  const use = { actAs: [party], choice: "AmuletRules_DevNet_Tap" };
  const make = (openRound: string) => ({ receiver: party, amount, openRound });
  const transaction = await useRules(network, client, use, make);
  const coin = transaction.events.find((event) => "CreatedEvent" in event);
  if (coin === undefined || !("CreatedEvent" in coin)) throw new Error("no coin was made");
  return coin.CreatedEvent.contractId;
}

/** Both act: each is a witness of what the other gains. */
export function pay(
  network: SvNodes,
  client: LedgerClient,
  given: {
    readonly sender: string;
    readonly receiver: string;
    readonly coin: string;
    readonly amount: string;
  },
): Promise<Transaction> {
  const { sender, receiver, coin, amount } = given;
  const transfer = {
    ...{ sender, provider: sender, beneficiaries: null },
    inputs: [{ tag: "InputAmulet", value: coin }],
    outputs: [{ receiver, receiverFeeRatio: "0.0", amount, lock: null }],
  };
  const use = { actAs: [sender, receiver], choice: "AmuletRules_Transfer" };
  return useRules(network, client, use, (_, shared) => ({ transfer, ...shared }));
}

/** Traffic for a member, named as `PAR::…`. */
export function buyTraffic(
  network: SvNodes,
  client: LedgerClient,
  given: {
    readonly provider: string;
    readonly coin: string;
    readonly memberId: string;
    readonly synchronizerId: string;
    readonly trafficAmount: number;
  },
): Promise<Transaction> {
  const { provider, coin, memberId, synchronizerId, trafficAmount } = given;
  const use = { actAs: [provider], choice: "AmuletRules_BuyMemberTraffic" };
  return useRules(network, client, use, (_, shared) => ({
    ...{ provider, memberId, synchronizerId, migrationId: "0", trafficAmount: `${trafficAmount}` },
    ...{ inputs: [{ tag: "InputAmulet", value: coin }], ...shared },
  }));
}

function numberOf({ payload }: WireContract): number {
  return Number((payload as { readonly round?: { readonly number?: string } }).round?.number);
}
