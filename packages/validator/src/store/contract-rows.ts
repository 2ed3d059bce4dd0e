/** Writes contracts into the copy of the ledger, and reads them. */
import type { Transaction } from "@callsign/api";
import {
  Amulet,
  AnsEntryContext,
  type AnyTemplateDeclaration,
  type ContractId,
  ledgerJson,
  type PayloadOf,
  parseContractId,
  parseTime,
  SubscriptionIdleState,
  type Time,
} from "@callsign/ledger";
import {
  indexedText,
  insertInto,
  type LedgerAdvance,
  type LoadedDictionaries,
  listsForIn,
  placesFrom,
  type Sql,
  type SqlRow,
  type SqlValues,
} from "@callsign/node";
import { findWalletKind } from "../ledger/wallet-contracts.ts";
import { type CarriedParts, carriedPartsOf, isLasting, packContract } from "./packed-contract.ts";

export interface WalletContract<T> {
  readonly contractId: ContractId;
  readonly templateId: string;
  readonly owner: string;
  readonly payload: T;
  readonly blob: string;
  readonly createdAt: Time;
  /** Its place in the order of the ledger: the same in every copy. */
  readonly place: bigint;
}

/** A transaction has far fewer nodes. */
const NODES = 2n ** 20n;

export function splitPlace(place: bigint): { readonly arrival: bigint; readonly node: bigint } {
  const node = ((place % NODES) + NODES) % NODES;
  return { arrival: (place - node) / NODES, node };
}

export const payDataType = SubscriptionIdleState.record.fields.payData;

type Created = Extract<Transaction["events"][number], { readonly CreatedEvent: unknown }>["CreatedEvent"];
type Archived = Extract<Transaction["events"][number], { readonly ArchivedEvent: unknown }>["ArchivedEvent"];

/** The effects of a step forward, while they are collected. */
export interface AdvanceNotes extends LedgerAdvance {
  readonly paid: Set<string>;
  readonly owners: Set<string>;
  readonly touched: Set<string>;
}

/** In the columns of a packed contract. */
const NOTHING: CarriedParts = { templateId: "", createdAt: "", payload: "", blob: "" };

const insertRows = insertInto(
  "contracts",
  `contract_id, template, template_id, owner, link, name, payable_from, payable_until, payload, blob, created_at, arrival,
    node, packed`,
  "on conflict (contract_id) do nothing",
);
const insertDeadlines = insertInto(
  "deadlines",
  "contract_id, template, due_at",
  "on conflict (contract_id) do nothing",
);

export interface ChangeTerms {
  readonly noted: AdvanceNotes;
  readonly dso: string;
  readonly dictionaries: LoadedDictionaries;
}

/** Writes the contracts that one transaction creates and archives. */
export async function changeContracts(
  sql: Sql,
  events: Transaction["events"],
  { noted, dso, dictionaries }: ChangeTerms,
): Promise<void> {
  const archived = events.flatMap((event) => ("ArchivedEvent" in event ? [event.ArchivedEvent] : []));
  await deleteContracts(sql, archived, noted);
  const gone = new Set(archived.map(({ contractId }) => contractId));
  const rows: SqlValues[] = [];
  const deadlines: SqlValues[] = [];
  for (const event of events) {
    if (!("CreatedEvent" in event)) continue;
    const { contractId, templateId, createArgument, createdEventBlob: blob, ...created } = event.CreatedEvent;
    const kind = findWalletKind(templateId);
    if (kind === undefined) continue;
    const { entity, record } = kind.template;
    const keys = kind.keysOf(record.fromJson(createArgument, ledgerJson) as never);
    if (keys.dso !== null && keys.dso !== dso) continue;
    noted.touched.add(entity);
    noted.owners.add(keys.owner);
    if (entity === Amulet.entity) noted.paid.add(keys.owner);
    if (gone.has(contractId)) continue;
    const { createdAt } = created;
    const carried = { templateId, createdAt, payload: JSON.stringify(createArgument), blob };
    const packed = isLasting(kind.template)
      ? packContract(dictionaries, carried, { contractId, owner: keys.owner, link: keys.link })
      : null;
    const { templateId: plainId, payload, ...plain } = packed === null ? carried : NOTHING;
    rows.push([
      ...[contractId, entity, plainId, keys.owner, keys.link, indexedText(keys.name)],
      ...[keys.payableFrom, keys.payableUntil, payload, plain.blob, plain.createdAt],
      ...[BigInt(created.offset), BigInt(created.nodeId), packed],
    ]);
    if (keys.dueAt !== null) deadlines.push([contractId, entity, keys.dueAt]);
  }
  await insertRows(sql, rows);
  await insertDeadlines(sql, deadlines);
}

async function deleteContracts(sql: Sql, archived: readonly Archived[], noted: AdvanceNotes): Promise<void> {
  for (const { templateId } of archived) {
    const kind = findWalletKind(templateId);
    if (kind !== undefined) noted.touched.add(kind.template.entity);
  }
  for (const ids of listsForIn(archived.map(({ contractId }) => contractId))) {
    const isGone = `contract_id in (${placesFrom(1, ids)})`;
    for (const { owner } of await sql.all(`delete from contracts where ${isGone} returning owner`, ...ids))
      noted.owners.add(String(owner));
    await sql.run(`delete from deadlines where ${isGone}`, ...ids);
  }
}

/** The context has the name, the subscription the terms; a cancelled subscription has no context any more. */
export async function keepTerms(
  sql: Sql,
  event: Created,
  { dso, dictionaries }: Pick<ChangeTerms, "dso" | "dictionaries">,
): Promise<void> {
  if (findWalletKind(event.templateId)?.template !== SubscriptionIdleState) return;
  const idle = SubscriptionIdleState.record.fromJson(event.createArgument, ledgerJson);
  const { reference, payData, subscriptionData } = idle;
  if (subscriptionData.dso !== dso || subscriptionData.provider !== dso) return;
  const row = await sql.get(
    "select * from contracts where link = $1 and template = $2 limit 1",
    reference,
    AnsEntryContext.entity,
  );
  if (row === undefined) return;
  const { owner, payload } = readContract(AnsEntryContext, row, dictionaries);
  await sql.run(
    `insert into entry_terms (owner, name, terms) values ($1, $2, $3)
     on conflict (owner, name) do update set terms = excluded.terms`,
    owner,
    indexedText(payload.name),
    JSON.stringify(payDataType.toJson(payData, ledgerJson)),
  );
}

export function readContract<T extends AnyTemplateDeclaration>(
  template: T,
  row: SqlRow,
  dictionaries: LoadedDictionaries,
): WalletContract<PayloadOf<T>> {
  const { templateId, payload, blob, ...carried } = carriedPartsOf(row, dictionaries);
  const contractId = parseContractId(String(row["contract_id"]));
  const createdAt = parseTime(carried.createdAt);
  if (!contractId.ok) throw new Error(contractId.error);
  if (!createdAt.ok) throw new Error(createdAt.error);
  return {
    contractId: contractId.value,
    templateId,
    owner: String(row["owner"]),
    payload: template.record.fromJson(JSON.parse(payload), ledgerJson) as PayloadOf<T>,
    blob,
    createdAt: createdAt.value,
    place: (row["arrival"] as bigint) * NODES + (row["node"] as bigint),
  };
}
