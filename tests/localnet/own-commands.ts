/** Commands that a user sends with the JSON Ledger API alone, past the validator. */
import type { Command, DisclosedContract, Transaction, WireContract } from "../../packages/api/src/index.ts";
import type { NodeName } from "../../packages/localnet/src/ports.ts";
import { listActiveContracts } from "../support/active-contracts.ts";
import type { LocalNetwork, Request } from "../support/local-network.ts";
import type { NetworkClients } from "../support/network-clients.ts";

const NAMES = "#splice-amulet-name-service:Splice.Ans";
const SUBSCRIPTIONS = "#splice-wallet-payments:Splice.Wallet.Subscriptions";
const AMULET = "#splice-amulet:Splice.Amulet:Amulet";

/** A party on a node, as the node's wallet user. */
export interface OwnParty {
  readonly node: NodeName;
  readonly party: string;
}

export async function submitAsUser(
  network: NetworkClients,
  { node, party }: OwnParty,
  command: Command,
  disclosed: readonly WireContract[] = [],
): Promise<Transaction> {
  const client = network.ledger(node, network.tokenOf(node));
  const disclosedContracts: DisclosedContract[] = disclosed.map((contract) => ({
    contractId: contract.contract_id,
    createdEventBlob: contract.created_event_blob,
    templateId: contract.template_id,
    synchronizerId: "",
  }));
  const { transaction } = await client.submitAndWaitForTransaction({
    body: {
      commands: {
        commandId: crypto.randomUUID(),
        actAs: [party],
        commands: [command],
        disclosedContracts,
      },
    },
  });
  return transaction;
}

/** Asks for a name that no validator would ask for, and pays for it without one. */
export async function buyWithoutValidator(
  world: LocalNetwork,
  node: NodeName,
  { name, url = "", description = "" }: Request,
): Promise<void> {
  const party = await world.party(node);
  const own = { node, party };
  const { ans_rules_update } = await world.scan().getAnsRules();
  const rules = whole(ans_rules_update.contract);
  const request = {
    templateId: `${NAMES}:AnsRules`,
    contractId: rules.contract_id,
    choice: "AnsRules_RequestEntry",
    choiceArgument: { name, url, description, user: party },
  };
  const asked = await submitAsUser(world, own, { ExerciseCommand: request }, [rules]);
  const [amuletRules, round] = await findCoinContext(world);
  const coins = await listOwnContracts(world, own, AMULET);
  const payment = {
    templateId: `${SUBSCRIPTIONS}:SubscriptionRequest`,
    contractId: createdBy(asked, ":SubscriptionRequest"),
    choice: "SubscriptionRequest_AcceptAndMakePayment",
    choiceArgument: {
      inputs: coins.map(({ contractId: value }) => ({ tag: "InputAmulet", value })),
      context: {
        amuletRules: amuletRules.contract_id,
        context: {
          openMiningRound: round.contract_id,
          issuingMiningRounds: [],
          validatorRights: [],
          featuredAppRight: null,
        },
      },
      walletProvider: party,
    },
  };
  await submitAsUser(world, own, { ExerciseCommand: payment }, [amuletRules, round]);
}

/** The contract id of the name's entry, as a scan shows it. */
export async function entryContract(world: LocalNetwork, name: string): Promise<string> {
  const { entry } = await world.scan().lookupAnsEntryByName({ params: { name } });
  if (entry.contract_id === null) throw new Error(`${name} is well known: there is no contract`);
  return entry.contract_id;
}

export function expireEntry(contractId: string, actor: string): Command {
  const choice = { choice: "AnsEntry_Expire", choiceArgument: { actor } };
  return { ExerciseCommand: { templateId: `${NAMES}:AnsEntry`, contractId, ...choice } };
}

/** The rules of coin and the first open round, as a scan shows them. */
export async function findCoinContext(world: LocalNetwork): Promise<readonly [WireContract, WireContract]> {
  const { open_mining_rounds } = await world.scan().getOpenAndIssuingMiningRounds({
    body: { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] },
  });
  const [first] = Object.values(open_mining_rounds)
    .map(({ contract }) => whole(contract))
    .sort((a, b) => roundNumber(a) - roundNumber(b));
  return [await findAmuletRules(world), whole(first)];
}

/** The coin's rules, as a scan shows them. */
export async function findAmuletRules(network: NetworkClients): Promise<WireContract> {
  const { amulet_rules_update } = await network.scan().getAmuletRules({ body: {} });
  return whole(amulet_rules_update.contract);
}

export function listOwnContracts(network: NetworkClients, { node, party }: OwnParty, templateId: string) {
  return listActiveContracts(network.ledger(node, network.tokenOf(node)), party, templateId);
}

function createdBy(transaction: Transaction, ending: string): string {
  for (const event of transaction.events) {
    if ("CreatedEvent" in event && event.CreatedEvent.templateId.endsWith(ending))
      return event.CreatedEvent.contractId;
  }
  throw new Error(`${transaction.updateId} created no ${ending}`);
}

function whole(contract: WireContract | null | undefined): WireContract {
  if (contract === null || contract === undefined) throw new Error("scan left the contract out");
  return contract;
}

function roundNumber({ payload }: WireContract): number {
  return Number((payload as { readonly round?: { readonly number?: string } }).round?.number);
}
