/** Queries of the automations. The cost of each grows with its result, not with the number of contracts. */
import {
  Amulet,
  AnsEntry,
  AnsEntryContext,
  type AnyTemplateDeclaration,
  AppRewardCoupon,
  DevelopmentFundCoupon,
  type PartyId,
  parseTime,
  RenewalPreference,
  Subscription,
  SubscriptionIdleState,
  SubscriptionPayment,
  SvRewardCoupon,
  TransferOffer,
  TransferPreapproval,
  TransferPreapprovalProposal,
  UnclaimedActivityRecord,
  ValidatorFaucetCoupon,
  ValidatorLivenessActivityRecord,
  ValidatorRewardCoupon,
  ValidatorRight,
  WalletAppInstall,
} from "@callsign/ledger";
import { type DueTask, placesFrom, type SqlRow, type Store } from "@callsign/node";
import { readParty } from "../ledger/read-party.ts";
import { RENEWAL_OFF } from "../ledger/wallet-contracts.ts";
import { DUE_PAGE } from "../limits/limits.ts";

/** Before all times. */
const FIRST = -(2n ** 62n);

/** Of the latest time, in microseconds since 1970. */
const TIME_DIGITS = 18;

/** Coupons for which a round issues coin. */
const OF_ROUNDS = [
  AppRewardCoupon,
  SvRewardCoupon,
  ValidatorFaucetCoupon,
  ValidatorLivenessActivityRecord,
  ValidatorRewardCoupon,
];
/** Contracts that can be minted at any time. */
const WITH_FACE_AMOUNT = [UnclaimedActivityRecord, DevelopmentFundCoupon];

type Templates = readonly AnyTemplateDeclaration[];

export interface CoinCount {
  readonly coins: number;
  /** The creation time of the newest, in microseconds. */
  readonly newestAt: bigint;
}

export type LapseCause = "cancelled" | "renewal_off";

/** Entries that will end. */
export interface Lapses {
  readonly entries: number;
  /** In microseconds; null if there are none. */
  readonly firstEnd: bigint | null;
}

export interface LapseQuery {
  readonly validator: string;
  readonly after: bigint;
  readonly until: bigint;
}

export class AutomationReads {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Contracts of these templates whose time has come, behind a contract id, with their owners. */
  listDue(templates: Templates, now: bigint, after: string): Promise<readonly DueTask[]> {
    return this.#listByTime(templates, "<=", { now, after });
  }

  /** Contracts of these templates whose time has not come yet. */
  listOpen(templates: Templates, now: bigint, after: string): Promise<readonly DueTask[]> {
    return this.#listByTime(templates, ">", { now, after });
  }

  async #listByTime(
    templates: Templates,
    comparison: "<=" | ">",
    { now, after }: { readonly now: bigint; readonly after: string },
  ): Promise<readonly DueTask[]> {
    const rows = await this.#store.all(
      `select d.contract_id as contract_id, c.owner as owner from deadlines d
       join contracts c on c.contract_id = d.contract_id
       where d.due_at ${comparison} $1 and d.contract_id > $2 and d.template in (${placesFrom(4, templates)})
       order by d.contract_id limit $3`,
      now,
      after,
      BigInt(DUE_PAGE),
      ...entitiesOf(templates),
    );
    return rows.map(readTask);
  }

  /** Open transfer offers of these senders to the receiver. Anybody can make offers: those of others are not read. */
  async listOffersTo(receiver: string, senders: readonly string[], now: bigint): Promise<readonly string[]> {
    const places = placesFrom(5, senders);
    const rows = await this.#store.all(
      `select c.contract_id as contract_id from contracts c join deadlines d on d.contract_id = c.contract_id
       where c.template = $1 and c.link || '' = $2 and d.due_at > $3 and c.owner in (${places})
       order by c.contract_id limit $4`,
      ...[TransferOffer.entity, receiver, now, BigInt(DUE_PAGE), ...senders],
    );
    return rows.map((row) => String(row["contract_id"]));
  }

  /** The next deadline of a contract of these templates, after now. */
  async nextDueAt(templates: Templates, now: bigint): Promise<bigint | null> {
    let next: bigint | null = null;
    for (const { entity } of templates) {
      const row = await this.#store.get(
        "select min(due_at) as due_at from deadlines where template = $1 and due_at > $2",
        entity,
        now,
      );
      const due = row?.["due_at"];
      if (typeof due === "bigint" && (next === null || due < next)) next = due;
    }
    return next;
  }

  /**
   * Subscriptions whose payment is allowed at that time and can still be collected, those that end first before the
   * others, behind a task. A task's name is the end of the subscription's time and its contract's id.
   */
  async listPayable(now: bigint, after: string): Promise<readonly DueTask[]> {
    const [until, contractId] =
      after === "" ? [FIRST, ""] : [BigInt(after.split("/")[0] ?? ""), payableOf(after)];
    const rows = await this.#store.all(
      `select contract_id, owner, payable_until from contracts
       where payable_from > $1 and payable_from <= $2 and payable_until > $3
         and (payable_until > $4 or (payable_until = $5 and contract_id > $6))
       order by payable_until, contract_id limit $7`,
      ...[FIRST, now, now, until, until, contractId, BigInt(DUE_PAGE)],
    );
    return rows.map((row) => {
      const digits = String(row["payable_until"]).padStart(TIME_DIGITS, "0");
      return { task: `${digits}/${row["contract_id"]}`, owner: String(row["owner"]) };
    });
  }

  /** The next time at which a subscription may be paid, after now. */
  async nextPayableAt(now: bigint): Promise<bigint | null> {
    const row = await this.#store.get(
      "select min(payable_from) as payable_from from contracts where payable_from > $1",
      now,
    );
    const from = row?.["payable_from"];
    return typeof from === "bigint" ? from : null;
  }

  /**
   * The entries of wallets that end in a span of time and will not be renewed, because their subscription was cancelled or
   * its renewal is switched off.
   */
  async countLapses({ validator, after, until }: LapseQuery): Promise<Readonly<Record<LapseCause, Lapses>>> {
    const rows = await this.#store.all(
      `select cause, count(*) as entries, min(ends_at) as first_end from (
         select d.due_at as ends_at, case
           when not exists (select 1 from contracts x
             join contracts s on s.link = x.link and s.template = $1
             join contracts p on p.link = s.contract_id and p.template in ($2, $3)
             where x.name = e.name and x.template = $4 and x.owner || '' = e.owner) then 'cancelled'
           when exists (select 1 from contracts x
             join contracts r on r.link = x.link and r.template = $5 and r.name || '' = $6
             where x.name = e.name and x.template = $7 and x.owner || '' = e.owner
               and r.owner || '' = e.owner) then 'renewal_off'
           else '' end as cause
         from deadlines d join contracts e on e.contract_id = d.contract_id
         where d.template = $8 and d.due_at > $9 and d.due_at <= $10
           and exists (select 1 from contracts i where i.owner = e.owner and i.template = $11 and i.link || '' = $12)
       ) lapsing group by cause`,
      ...[Subscription.entity, SubscriptionIdleState.entity, SubscriptionPayment.entity],
      ...[AnsEntryContext.entity, RenewalPreference.entity, RENEWAL_OFF, AnsEntryContext.entity],
      ...[AnsEntry.entity, after, until, WalletAppInstall.entity, validator],
    );
    const of = (cause: LapseCause): Lapses => {
      const row = rows.find((each) => each["cause"] === cause);
      const end = row?.["first_end"];
      return { entries: Number(row?.["entries"] ?? 0), firstEnd: typeof end === "bigint" ? end : null };
    };
    return { cancelled: of("cancelled"), renewal_off: of("renewal_off") };
  }

  /** Owners of rewards of these rounds, and of contracts that can be minted at any time. */
  async listRewardOwners(rounds: readonly bigint[]): Promise<readonly RewardOwner[]> {
    const found: RewardOwner[] = [];
    const sought: readonly { readonly name: string; readonly templates: Templates }[] = [
      ...rounds.map((round) => ({ name: String(round), templates: OF_ROUNDS })),
      { name: "", templates: WITH_FACE_AMOUNT },
    ];
    for (const { name, templates } of sought) {
      const rows = await this.#store.all(
        `select distinct owner, template from contracts where name = $1 and template in (${placesFrom(2, templates)})`,
        name,
        ...entitiesOf(templates),
      );
      for (const { owner, template } of rows) {
        found.push({ owner: String(owner), forValidator: template === ValidatorRewardCoupon.entity });
      }
    }
    return found;
  }

  /** True if anybody here has a reward of some round. */
  async hasRewards(): Promise<boolean> {
    const row = await this.#store.get(
      `select 1 as found from deadlines where template in (${placesFrom(1, OF_ROUNDS)}) limit 1`,
      ...entitiesOf(OF_ROUNDS),
    );
    return row !== undefined;
  }

  /** The number of the owner's coins, up to a limit. */
  async countCoins(owner: string, limit: number): Promise<CoinCount> {
    const rows = await this.#store.all(
      `select created_at from contracts where owner = $1 and template = $2
       order by arrival desc, node desc limit $3`,
      owner,
      Amulet.entity,
      BigInt(limit),
    );
    const newest = parseTime(String(rows[0]?.["created_at"] ?? ""));
    return { coins: rows.length, newestAt: newest.ok ? newest.value : 0n };
  }

  /** Parties with a wallet of this validator. */
  async listWalletParties(validator: string): Promise<readonly PartyId[]> {
    const rows = await this.#store.all(
      "select distinct owner from contracts where link = $1 and template = $2",
      validator,
      WalletAppInstall.entity,
    );
    return rows.map(({ owner }) => readParty(String(owner)));
  }

  /** Parties with a wallet that have not granted the validator the right to their rewards. Reads every wallet. */
  async listWithoutRight(validator: string): Promise<readonly string[]> {
    const rows = await this.#store.all(
      `select distinct i.owner as owner from contracts i
       where i.link = $1 and i.template = $2
         and not exists (select 1 from contracts r
           where r.link || '' = $3 and r.template = $4 and r.owner = i.owner)`,
      validator,
      WalletAppInstall.entity,
      validator,
      ValidatorRight.entity,
    );
    return rows.map(({ owner }) => String(owner));
  }

  /**
   * Parties with a wallet of this validator, a proposal of a preapproval to it, and no preapproval. Reads every wallet, and
   * none of the proposals of strangers: anybody can create those.
   */
  async listProposers(validator: string): Promise<readonly string[]> {
    const rows = await this.#store.all(
      `select distinct i.owner as owner from contracts i
       where i.link = $1 and i.template = $2
         and exists (select 1 from contracts p where p.owner = i.owner and p.template = $3 and p.link || '' = $4)
         and not exists (select 1 from contracts a where a.owner = i.owner and a.template = $5)`,
      validator,
      WalletAppInstall.entity,
      TransferPreapprovalProposal.entity,
      validator,
      TransferPreapproval.entity,
    );
    return rows.map(({ owner }) => String(owner));
  }

  /** The proposals of such a party. */
  async listWantedProposals(validator: string, owner: string): Promise<readonly string[]> {
    const rows = await this.#store.all(
      `select p.contract_id as contract_id from contracts p
       where p.owner = $1 and p.template = $2 and p.link || '' = $3
         and exists (select 1 from contracts i where i.owner = $4 and i.template = $5 and i.link || '' = $6)
         and not exists (select 1 from contracts a where a.owner = $7 and a.template = $8)
       limit $9`,
      ...[owner, TransferPreapprovalProposal.entity, validator],
      ...[owner, WalletAppInstall.entity, validator, owner, TransferPreapproval.entity],
      BigInt(DUE_PAGE),
    );
    return rows.map((row) => String(row["contract_id"]));
  }
}

/** The contract of a task of `listPayable`. */
export function payableOf(task: string): string {
  return task.split("/")[1] ?? "";
}

/** A task's name is its contract's id. */
function readTask({ contract_id: task, owner }: SqlRow): DueTask {
  return { task: String(task), owner: String(owner) };
}

export interface RewardOwner {
  readonly owner: string;
  /** True if the owner's validator mints it, not the owner. */
  readonly forValidator: boolean;
}

function entitiesOf(templates: Templates): readonly string[] {
  return templates.map(({ entity }) => entity);
}
