/**
 * The parts of a contract that no query looks at, as one packed text. Its keys stand in columns of the row: the packed text does
 * not hold their ids once more.
 */
import {
  AnsEntry,
  AnsEntryContext,
  type AnyTemplateDeclaration,
  Subscription,
  SubscriptionIdleState,
} from "@callsign/ledger";
import type { LoadedDictionaries, SqlRow } from "@callsign/node";

export interface CarriedParts {
  readonly templateId: string;
  readonly createdAt: string;
  /** JSON. */
  readonly payload: string;
  readonly blob: string;
}

/** The columns that the known ids are taken from. */
export interface PackedKeys {
  readonly contractId: string;
  readonly owner: string;
  readonly link: string;
}

/** Kinds that stay for as long as a name does. Others come and go: they are read more often than they are kept. */
const LASTING: ReadonlySet<AnyTemplateDeclaration> = new Set([
  AnsEntry,
  AnsEntryContext,
  Subscription,
  SubscriptionIdleState,
]);

export function isLasting(template: AnyTemplateDeclaration): boolean {
  return LASTING.has(template);
}

/** Stands before a blob that is not the Base64 of JSON. */
const AS_IT_IS = "=";

/** Four lines; the first three have no line break. */
export function packContract(
  dictionaries: LoadedDictionaries,
  { templateId, createdAt, payload, blob }: CarriedParts,
  keys: PackedKeys,
): Uint8Array {
  const text = `${templateId}\n${createdAt}\n${payload}\n${decodeBlob(blob)}`;
  return dictionaries.pack(templateId, text, listKnown(keys));
}

/** Contracts that come and go have no packed text, nor have rows of earlier releases. */
export function carriedPartsOf(row: SqlRow, dictionaries: LoadedDictionaries): CarriedParts {
  const packed = row["packed"];
  if (packed instanceof Uint8Array) return unpackContract(dictionaries, packed, row);
  return {
    templateId: String(row["template_id"]),
    createdAt: String(row["created_at"]),
    payload: String(row["payload"]),
    blob: String(row["blob"]),
  };
}

function unpackContract(dictionaries: LoadedDictionaries, packed: Uint8Array, row: SqlRow): CarriedParts {
  const [contractId, owner, link] = [row["contract_id"], row["owner"], row["link"]].map(String);
  const known = listKnown({ contractId, owner, link } as PackedKeys);
  const [templateId = "", createdAt = "", payload = "", ...rest] = dictionaries
    .unpack(packed, known)
    .split("\n");
  return { templateId, createdAt, payload, blob: encodeBlob(rest.join("\n")) };
}

function listKnown({ contractId, owner, link }: PackedKeys): string {
  return `${owner} ${contractId} ${link}`;
}

/** A participant's blobs are canonical JSON, which says the same as the payload. */
function decodeBlob(blob: string): string {
  const text = Buffer.from(blob, "base64").toString();
  return text.startsWith("[") && encodeBlob(text) === blob ? text : AS_IT_IS + blob;
}

function encodeBlob(text: string): string {
  return text.startsWith(AS_IT_IS) ? text.slice(AS_IT_IS.length) : Buffer.from(text).toString("base64");
}
