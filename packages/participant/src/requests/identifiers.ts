/** The grammars of identifiers in requests, and the errors for identifiers that break them. */
import {
  type ContractId,
  type ErrorCode,
  isContractId,
  type LedgerError,
  ledgerError,
} from "@callsign/ledger";
import { LedgerFailure } from "@callsign/node";
import { MAX_PARTY_ID } from "../limits/limits.ts";

/** ASCII letters, digits and the symbols that identity providers put into subjects. */
const USER_ID = /^[A-Za-z0-9@^$.!`\-#+'~_|:()]{1,128}$/;
const LEDGER_STRING = /^[A-Za-z0-9._:\-#/ ]{1,255}$/;
const PARTY_CHARACTER = /[A-Za-z0-9:\-_ ]/;

export function isUserId(text: string): boolean {
  return USER_ID.test(text);
}

/** The fault of a user id, as Canton words it. */
export function findUserIdFault(text: string): string {
  const allowed = USER_ID.source.slice(1, -1);
  return `User ID "${text.slice(0, 128)}" does not match regex "${allowed}"`;
}

export function isLedgerString(text: string): boolean {
  return LEDGER_STRING.test(text);
}

/** Returns the contract id of a request, or throws. */
export function needContractId(text: string): ContractId {
  if (text === "") throw missingField("contract_id");
  if (isContractId(text)) return text;
  throw invalidField("contract_id", `cannot parse ContractId "${text.slice(0, 300)}"`);
}

/** The fault of a party id, as Canton words it; null if it has none. */
export function findPartyFault(text: string): string | null {
  if (text === "") return "Daml-LF Party is empty";
  if (text.length > MAX_PARTY_ID) return `Daml-LF Party is too long (max: ${MAX_PARTY_ID})`;
  for (const character of text) {
    if (PARTY_CHARACTER.test(character)) continue;
    const code = character.codePointAt(0)?.toString(16) ?? "0";
    return `non expected character 0x${code} in Daml-LF Party "${text}"`;
  }
  return null;
}

export function invalidArgument(reason: string): LedgerFailure {
  return new LedgerFailure(
    ledgerError("INVALID_ARGUMENT", `The submitted request has invalid arguments: ${reason}`),
  );
}

export function invalidField(field: string, reason: string): LedgerFailure {
  const cause = `The submitted command has a field with invalid value: Invalid field ${field}: ${reason}`;
  return new LedgerFailure(ledgerError("INVALID_FIELD", cause));
}

export function missingField(field: string): LedgerFailure {
  const cause = `The submitted command is missing a mandatory field: ${field}`;
  return new LedgerFailure(ledgerError("MISSING_FIELD", cause, { context: { field_name: field } }));
}

/** The reason is for the log: the caller reads nothing of it. */
export function permissionDenied(reason: string): LedgerFailure {
  const cause = "The caller does not have the rights that this needs";
  return new LedgerFailure(ledgerError("PERMISSION_DENIED", cause), {}, reason);
}

/** Returns the user that a request names, or the caller. Without a token there is no caller to fall back on. */
export function needUserId(given: string, callers: string | null): string {
  const userId = given === "" ? callers : given;
  if (userId === null) {
    const cause = "The submitted token is missing a user-id: without a token, the request's userId is needed";
    failWith("INVALID_TOKEN", cause);
  }
  if (!isUserId(userId)) throw invalidField("user_id", `User ID "${userId.slice(0, 128)}" is not valid`);
  return userId;
}

/** The same failure as Canton's JSON layer reports it, before its ledger services: the body has fewer fields. */
export function jsonLayer({ error, occasion }: LedgerFailure): LedgerFailure {
  return new LedgerFailure(error, { ...occasion, layer: "json" });
}

/** Returns the party of a request, or throws. */
export function needParty(text: string): string {
  const fault = findPartyFault(text);
  if (fault !== null) throw invalidArgument(fault);
  return text;
}

/** Throws an error of the catalogue. */
export function failWith(
  code: Exclude<ErrorCode, "DAML_FAILURE">,
  cause: string,
  details: Partial<Pick<LedgerError, "context" | "resources">> = {},
): never {
  throw new LedgerFailure(ledgerError(code, cause, details));
}
