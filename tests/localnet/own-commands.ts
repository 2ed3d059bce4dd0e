/** Commands that a user sends with the JSON Ledger API alone, past the validator. */
import type { DisclosedContract, Transaction, WireContract } from "../../packages/api/src/index.ts";
import type { JsonValue } from "../../packages/ledger/src/index.ts";
import type { NodeName } from "../../packages/localnet/src/ports.ts";
import { listActiveContracts } from "../support/active-contracts.ts";
import type { LocalNetwork, Request } from "../support/local-network.ts";

const NAMES = "#splice-amulet-name-service:Splice.Ans";
const SUBSCRIPTIONS = "#splice-wallet-payments:Splice.Wallet.Subscriptions";
const AMULET = "#splice-amulet:Splice.Amulet:Amulet";

export interface Exercise {
  readonly templateId: string;
  readonly contractId: string;
  readonly choice: string;
  readonly choiceArgument: JsonValue;
}

export interface Submission {
  /** The user's own party unless given. */
  readonly actAs?: readonly string[];
  readonly exercise: Exercise;
  readonly disclosed?: readonly WireContract[];
}

/** As the wallet's user of that node. */
export async function submitAsUser(
  world: LocalNetwork,
  node: NodeName,
  { actAs, exercise, disclosed = [] }: Submission,
): Promise<Transaction> {
  const client = world.ledger(node, world.net.nodes[node].token);
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
        actAs: [...(actAs ?? [await world.party(node)])],
        commands: [{ ExerciseCommand: { ...exercise } }],
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
  const { ans_rules_update } = await world.scan().getAnsRules();
  const rules = whole(ans_rules_update.contract);
  const asked = await submitAsUser(world, node, {
    exercise: {
      templateId: `${NAMES}:AnsRules`,
      contractId: rules.contract_id,
      choice: "AnsRules_RequestEntry",
      choiceArgument: { name, url, description, user: party },
    },
    disclosed: [rules],
  });
  const [amuletRules, round] = await coinContext(world);
  const coins = await listContracts(world, node, AMULET);
  await submitAsUser(world, node, {
    exercise: {
      templateId: `${SUBSCRIPTIONS}:SubscriptionRequest`,
      contractId: createdBy(asked, ":SubscriptionRequest"),
      choice: "SubscriptionRequest_AcceptAndMakePayment",
      choiceArgument: {
        inputs: coins.map((value) => ({ tag: "InputAmulet", value })),
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
    },
    disclosed: [amuletRules, round],
  });
}

/** The contract id of the name's entry, as a scan shows it. */
export async function entryContract(world: LocalNetwork, name: string): Promise<string> {
  const { entry } = await world.scan().lookupAnsEntryByName({ params: { name } });
  if (entry.contract_id === null) throw new Error(`${name} is well known: there is no contract`);
  return entry.contract_id;
}

export function expireEntry(contractId: string, actor: string): Exercise {
  return {
    templateId: `${NAMES}:AnsEntry`,
    contractId,
    choice: "AnsEntry_Expire",
    choiceArgument: { actor },
  };
}

async function coinContext(world: LocalNetwork): Promise<readonly [WireContract, WireContract]> {
  const { amulet_rules_update } = await world.scan().getAmuletRules({ body: {} });
  const { open_mining_rounds } = await world.scan().getOpenAndIssuingMiningRounds({
    body: { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] },
  });
  const [first] = Object.values(open_mining_rounds)
    .map(({ contract }) => whole(contract))
    .sort((a, b) => roundNumber(a) - roundNumber(b));
  return [whole(amulet_rules_update.contract), whole(first)];
}

async function listContracts(world: LocalNetwork, node: NodeName, templateId: string) {
  const client = world.ledger(node, world.net.nodes[node].token);
  const active = await listActiveContracts(client, await world.party(node), templateId);
  return active.map(({ contractId }) => contractId);
}

export function createdBy(transaction: Transaction, ending: string): string {
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
