/**
 * A contract at rest: its template, its payload as canonical text, when it was created. Everything else
 * (who signs, who observes) follows from the payload. A contract id carries the hash of this, so that
 * a disclosed contract can be checked against its id.
 */
import { type ContractId, formatContractId, isContractId } from "../values/contract-id.ts";
import type { Hash } from "../values/hash.ts";
import { malformed, type Parsed, parsed } from "../values/parsed.ts";
import { isTimeMicros, type Time } from "../values/time.ts";

export interface Contract {
  readonly contractId: ContractId;
  /** By package id. */
  readonly templateId: string;
  /** The payload's canonical text. */
  readonly payload: string;
  readonly createdAt: Time;
}

/** The discriminator is unique to the place in the transaction; the rest of the id binds the content. */
export function contractIdOf(
  hash: Hash,
  discriminator: string,
  content: Omit<Contract, "contractId">,
): ContractId {
  const contentHash = hash(
    `${discriminator}\n${content.templateId}\n${content.createdAt}\n${content.payload}`,
  );
  return formatContractId({ discriminator, contentHash });
}

/** True if the id binds the content. */
export function isAuthentic(hash: Hash, contract: Contract): boolean {
  return contractIdOf(hash, contract.contractId.slice(2, 66), contract) === contract.contractId;
}

/** The created-event blob: the canonical encoding of the create. The wire carries it in base64. */
export function formatBlob({ contractId, templateId, payload, createdAt }: Contract): string {
  return `["callsign-create-1","${contractId}","${templateId}","${createdAt}",${payload}]`;
}

const BLOB = /^\["callsign-create-1","([0-9a-f]{66,254})","([^"\\]{1,1000})","(-?\d{1,19})",(.*)\]$/s;
const ALLOWED = "use the blob that came with the contract's created event, unchanged";

/** Reads the blob of a disclosed contract; the contract id shows that it is genuine. */
export function parseBlob(hash: Hash, blob: string): Parsed<Contract> {
  const [, contractId = "", templateId = "", createdAt = "0", payload = ""] = BLOB.exec(blob) ?? [];
  const micros = BigInt(createdAt);
  if (!isContractId(contractId) || !isTimeMicros(micros))
    return malformed("created-event blob", blob, ALLOWED);
  const contract = { contractId, templateId, payload, createdAt: micros };
  const genuine = isAuthentic(hash, contract) && formatBlob(contract) === blob;
  return genuine ? parsed(contract) : malformed("created-event blob", blob, ALLOWED);
}
