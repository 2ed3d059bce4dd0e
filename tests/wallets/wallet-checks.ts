/** Compares the coin that wallets, histories, ledgers and scans show for each person with the test's own sums. */
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { formatInstant } from "../../packages/ledger/src/values/time.ts";
import { changeOf, historyOf } from "../support/history.ts";
import type { LocalNetwork } from "../support/local-network.ts";
import type { WalletNode } from "./wallet-node.ts";
import type { Person, Units, WalletPeople } from "./wallet-people.ts";

/** The length of a page: short, so that a history has several pages. */
const HISTORY_PAGE = 7;

/** Compares balances with the sums, and histories with balances. */
export async function checkWallets(people: WalletPeople): Promise<readonly string[]> {
  const balances = new Map<Person, Units>();
  const problems = await Promise.all(
    people.everybody.map(async (person) => {
      const balance = await person.wallet.getBalance();
      const unlocked = decimal(balance.effective_unlocked_qty);
      balances.set(person, unlocked);
      const locked = decimal(balance.effective_locked_qty);
      return [
        ...(locked === 0n ? [] : [`${person.name} has ${locked} of locked coin`]),
        ...(await checkHistory(person, unlocked)),
      ];
    }),
  );
  return [...problems.flat(), ...people.compare("wallets", balances)];
}

async function checkHistory({ wallet, name, party }: Person, balance: Units): Promise<readonly string[]> {
  const items = await historyOf(wallet, HISTORY_PAGE);
  const ids = new Set(items.map(({ event_id }) => event_id));
  const problems = ids.size === items.length ? [] : [`the history of ${name} has an item twice`];
  let sum = 0n;
  for (const item of items.toReversed()) {
    sum += changeOf(item, party);
    if (sum < 0n) problems.push(`the history of ${name} falls below nothing at ${item.event_id}`);
  }
  if (sum !== balance) problems.push(`the history of ${name} adds up to ${sum}, the balance is ${balance}`);
  return problems;
}

interface Coin {
  readonly owner: string;
  readonly amount: { readonly initialAmount: string };
}

/** Compares the coins that participants list with the sums. */
export async function checkLedgers(
  people: WalletPeople,
  nodes: readonly WalletNode[],
): Promise<readonly string[]> {
  const held = new Map<Person, Units>();
  const byParty = new Map(people.everybody.map((person) => [person.party, person]));
  for (const node of nodes) {
    const parties = people.everybody.filter((person) => person.node === node).map(({ party }) => party);
    for (const { owner, amount } of await listCoins(node, parties)) {
      const person = byParty.get(owner);
      if (person !== undefined) held.set(person, (held.get(person) ?? 0n) + decimal(amount.initialAmount));
    }
  }
  return people.compare("ledgers", held);
}

async function listCoins(node: WalletNode, parties: readonly string[]): Promise<readonly Coin[]> {
  const { offset } = await node.ledger.getLedgerEnd();
  const templateId = "#splice-amulet:Splice.Amulet:Amulet";
  const identifierFilter = { TemplateFilter: { value: { templateId, includeCreatedEventBlob: false } } };
  const filters = parties.map((party) => [party, { cumulative: [{ identifierFilter }] }]);
  const eventFormat = {
    filtersByParty: Object.fromEntries(filters),
    filtersForAnyParty: null,
    verbose: false,
  };
  const active = await node.ledger.listActiveContracts({ body: { activeAtOffset: offset, eventFormat } });
  return active.flatMap(({ contractEntry }) =>
    "JsActiveContract" in contractEntry
      ? [contractEntry.JsActiveContract.createdEvent.createArgument as unknown as Coin]
      : [],
  );
}

/** Compares the holdings of each scan's latest snapshot with the sums. */
export async function checkScans(people: WalletPeople, network: LocalNetwork): Promise<readonly string[]> {
  const body = {
    migration_id: 0,
    record_time: formatInstant(network.net.now()),
    record_time_match: "at_or_before" as const,
    owner_party_ids: people.everybody.map(({ party }) => party),
  };
  const problems = await Promise.all(
    network.net.svs.map(async (_, place) => {
      const { summaries } = await network.scan(place + 1).getHoldingsSummaryAt({ body });
      const said = new Map(summaries.map((each) => [each.party_id, decimal(each.total_unlocked_coin)]));
      const held = people.everybody.map((person) => [person, said.get(person.party) ?? 0n] as const);
      return people.compare(`scan ${place + 1}`, new Map(held));
    }),
  );
  return problems.flat();
}

/** Compares the offers that wallets list with those that nobody has answered. */
export async function checkOffers(people: WalletPeople): Promise<readonly string[]> {
  const problems = await Promise.all(
    people.everybody.map(async (person) => {
      const { offers } = await person.wallet.listTransferOffers();
      const { accepted_offers } = await person.wallet.listAcceptedTransferOffers();
      const shown = [...offers, ...accepted_offers]
        .map(({ contract_id }) => contract_id)
        .filter((id) => !people.expiring.has(id))
        .sort();
      const open = people.offers.filter(({ from, to }) => from === person || to === person);
      const wanted = open.map(({ contractId }) => contractId).sort();
      return shown.join() === wanted.join()
        ? []
        : [`${person.name} is shown ${shown.length} offers, and has ${wanted.length}`];
    }),
  );
  return problems.flat();
}

/** Each name that somebody paid for has one owner, who paid; all scans say the same. */
export async function settleNames(
  people: WalletPeople,
  network: LocalNetwork,
  price: Units,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const { name, buyers } of people.wanted.splice(0)) {
    const owners = await Promise.all(network.net.svs.map((_, place) => network.owner(name, place + 1)));
    const owner = buyers.find(({ party }) => party === owners[0]);
    if (owner === undefined || new Set(owners).size !== 1)
      problems.push(`${name} was paid for, and belongs to ${owners.join(", ")}`);
    else {
      people.earn(owner, -price);
      people.owned.set(name, owner);
    }
  }
  return problems;
}
