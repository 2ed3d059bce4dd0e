/** A contract that a submission discloses, checked against its blob. */
import type { DisclosedContract } from "@callsign/api";
import { type Catalogue, type Contract, type Hash, parseBlob } from "@callsign/ledger";
import { invalidArgument, invalidField, missingField } from "../requests/identifiers.ts";

export interface Disclosed {
  readonly contract: Contract;
  readonly blobHash: string;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function readDisclosed(
  given: DisclosedContract,
  { catalogue, hash }: { readonly catalogue: Catalogue; readonly hash: Hash },
): Disclosed {
  const { createdEventBlob, contractId, templateId } = given;
  if (createdEventBlob === "") throw missingField("DisclosedContract.createdEventBlob");
  if (!BASE64.test(createdEventBlob)) {
    throw invalidArgument(`The string is not a valid Base64: ${createdEventBlob.slice(0, 100)}`);
  }
  const blob = Buffer.from(createdEventBlob, "base64").toString("utf8");
  const contract = parseBlob(hash, blob);
  if (!contract.ok) throw invalidField("DisclosedContract.createdEventBlob", contract.error);
  if (contractId !== "" && contractId !== contract.value.contractId) {
    throw invalidArgument(
      `Mismatch between DisclosedContract.contractId ${contractId.slice(0, 300)} and the one in its blob`,
    );
  }
  if (templateId !== "" && !catalogue.listVersions(templateId).includes(contract.value.templateId)) {
    throw invalidArgument(
      `Mismatch between DisclosedContract.templateId ${templateId} and the one in its blob`,
    );
  }
  return { contract: contract.value, blobHash: hash(blob) };
}
