/** The contracts and transactions of a participant's parties, counted from its ledger alone. Equal stories give equal counts. */
import type { CreatedEvent, Transaction } from "@callsign/api";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { SERVICE_USER } from "../../packages/localnet/src/tokens.ts";
import { systemHost } from "../../packages/node/src/index.ts";
import type { Participant } from "../../packages/participant/src/start-participant.ts";
import { listActiveEntries } from "../../packages/validator/src/ledger/list-active.ts";
import { ParticipantClient } from "../../packages/validator/src/ledger/participant-client.ts";

/** Numbers of contracts by template, of exercises by choice, and the like; coin in units of the last digit. */
export type Counts = Readonly<Record<string, bigint>>;

export class LedgerWorld {
  readonly ledger: ParticipantClient;

  constructor({ url }: Participant, token: string) {
    this.ledger = new ParticipantClient({ url, userId: SERVICE_USER, host: systemHost, token: () => token });
  }

  close(): void {
    this.ledger.close();
  }

  /** Counts the active contracts, and the transactions after an offset. */
  async read(after: number): Promise<Counts> {
    const { client } = this.ledger;
    const { partyDetails } = await client.listParties({});
    const parties = partyDetails.filter(({ isLocal }) => isLocal).map(({ party }) => party);
    const { users } = await client.listUsers({});
    const { rights } = await client.listUserRights({ params: { "user-id": SERVICE_USER } });
    const counts = new Map<string, bigint>([
      ["parties", BigInt(parties.length)],
      ["users", BigInt(users.length)],
      // The right to read as any party comes with the number of wallets, not with one of them.
      ["rights", BigInt(rights.filter(({ kind }) => !("CanReadAsAnyParty" in kind)).length)],
    ]);
    const count = (key: string, amount = 1n) => counts.set(key, (counts.get(key) ?? 0n) + amount);
    if (parties.length === 0) return Object.fromEntries(counts);
    const end = await this.ledger.ledgerEnd();
    for (const event of await this.#listActive(parties, end)) countContract(event, count);
    // Payments archive as many coins as they merge.
    for (const { events } of await this.#listUpdates(parties, after, end))
      for (const event of events)
        if ("ExercisedEvent" in event && event.ExercisedEvent.choice !== "Archive")
          count(`choice ${event.ExercisedEvent.choice}`);
    return Object.fromEntries(counts);
  }

  async #listActive(parties: readonly string[], activeAtOffset: number): Promise<readonly CreatedEvent[]> {
    const wildcard = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } };
    const filters = parties.map((party) => [party, { cumulative: [wildcard] }]);
    const eventFormat = {
      filtersByParty: Object.fromEntries(filters),
      filtersForAnyParty: null,
      verbose: false,
    };
    const found: CreatedEvent[] = [];
    for await (const page of listActiveEntries(this.ledger, { eventFormat, activeAtOffset }))
      found.push(...page.map(({ createdEvent }) => createdEvent));
    return found;
  }

  async #listUpdates(parties: readonly string[], from: number, end: number): Promise<readonly Transaction[]> {
    const found: Transaction[] = [];
    for (let after = from; after < end; ) {
      const page = await this.ledger.readUpdates({ parties, after, shape: "ledger-effects" }, end);
      found.push(...page.transactions);
      after = page.offset;
    }
    return found;
  }
}

/** Preapprovals cost by the microsecond: fees are compared to a thousandth of a coin. */
const FEE_UNITS = 10_000_000n;
const FEE_PAYER = "coin of crashing-validator";

/** The counts that differ between two worlds, with their differences. */
export function differenceOf(after: Counts, before: Counts): Counts {
  const keys = [...new Set([...Object.keys(after), ...Object.keys(before)])].sort();
  const changes = keys.map((key) => {
    const change = (after[key] ?? 0n) - (before[key] ?? 0n);
    return [key, key === FEE_PAYER ? (change / FEE_UNITS) * FEE_UNITS : change] as const;
  });
  return Object.fromEntries(changes.filter(([, change]) => change !== 0n));
}

interface Coin {
  readonly owner: string;
  readonly amount: { readonly initialAmount: string };
}

/** Payments merge coins, so the sum of coins is compared, not their number. */
function countContract(
  { templateId, createArgument }: CreatedEvent,
  count: (key: string, amount?: bigint) => void,
): void {
  const entity = templateId.split(":").at(-1) ?? "";
  const locked = entity === "LockedAmulet" ? (createArgument as unknown as { amulet: Coin }).amulet : null;
  const coin = entity === "Amulet" ? (createArgument as unknown as Coin) : locked;
  // A party that was made for the run has a number at its end.
  const owner = coin?.owner.split("::")[0]?.replace(/-\d+$/, "") ?? "";
  if (coin === null) count(`contract ${entity}`);
  else count(`${locked === null ? "coin" : "locked coin"} of ${owner}`, decimal(coin.amount.initialAmount));
}
