/**
 * The token by which a candidate asks to become an SV: a JWT of Splice's form, signed by the candidate's own key on P-256
 * (ES256). It names the candidate, its key, its party, its participant and the DSO, as JSON text in one claim. The name and the
 * key are those that SVs have agreed on outside of the network.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { type PartyId, parsePartyId } from "@callsign/ledger";
import { MAX_SV_TOKEN_LENGTH } from "../limits/limits.ts";

const CLAIM = "https://lfdecentralizedtrust.splice/sv";
const HEADER = { alg: "ES256", typ: "JWT" };

export interface SvOnboardingToken {
  readonly name: string;
  /** The candidate's public key: SPKI in DER, as base64. */
  readonly key: string;
  readonly party: PartyId;
  /** With its prefix `PAR::`. */
  readonly participantId: string;
  readonly dso: string;
}

/** The reason why a token, or its candidate, is refused. */
export interface SvTokenFault {
  readonly fault: string;
}

/** The candidate's keys as configured: SPKI and PKCS #8 in DER, as base64. */
export interface CandidateKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

export function signSvToken(token: SvOnboardingToken, privateKey: string): string {
  const { name, key, party, participantId, dso } = token;
  const claims = { [CLAIM]: JSON.stringify({ name, key, party, participantId, dso }) };
  const message = `${encode(HEADER)}.${encode(claims)}`;
  const signature = sign("sha256", Buffer.from(message), {
    key: readPrivateKey(privateKey),
    dsaEncoding: "ieee-p1363",
  });
  return `${message}.${signature.toString("base64url")}`;
}

/** The fault of a candidate's keys, or null. */
export function findCandidateKeyFault({ publicKey, privateKey }: CandidateKeys): string | null {
  try {
    const own = createPublicKey(readPrivateKey(privateKey)).export({ format: "der", type: "spki" });
    return own.equals(readPublicKey(publicKey).export({ format: "der", type: "spki" }))
      ? null
      : "the private key does not belong to the public key";
  } catch (error) {
    return `it is no key on P-256 in base64: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The token, if its own key has signed it; or its fault. Nobody has approved the key by that. */
export function readSvToken(text: string): SvOnboardingToken | SvTokenFault {
  if (text.length > MAX_SV_TOKEN_LENGTH)
    return { fault: `the token has ${text.length} characters, and at most ${MAX_SV_TOKEN_LENGTH} are read` };
  const [header = "", claims = "", signature = "", ...more] = text.split(".");
  if (signature === "" || more.length > 0) return { fault: "the token is no JWT, which has three parts" };
  try {
    if (readField(decode(header), "alg") !== HEADER.alg)
      return { fault: `the token is not signed with ${HEADER.alg}` };
    const candidate = readCandidate(JSON.parse(readField(decode(claims), CLAIM)));
    const key = { key: readPublicKey(candidate.key), dsaEncoding: "ieee-p1363" } as const;
    const isSigned = verify(
      "sha256",
      Buffer.from(`${header}.${claims}`),
      key,
      Buffer.from(signature, "base64url"),
    );
    return isSigned ? candidate : { fault: "the key that the token names has not signed it" };
  } catch (error) {
    return { fault: `the token cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function readCandidate(json: unknown): SvOnboardingToken {
  const party = parsePartyId(readField(json, "party"));
  if (!party.ok) throw new Error(party.error);
  return {
    name: readField(json, "name"),
    key: readField(json, "key"),
    party: party.value,
    participantId: readField(json, "participantId"),
    dso: readField(json, "dso"),
  };
}

function readField(json: unknown, field: string): string {
  const value = typeof json === "object" && json !== null ? Reflect.get(json, field) : undefined;
  if (typeof value === "string") return value;
  throw new Error(`it has no text ${field}`);
}

function readPublicKey(text: string): KeyObject {
  return requireP256(createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" }));
}

function readPrivateKey(text: string): KeyObject {
  return requireP256(createPrivateKey({ key: Buffer.from(text, "base64"), format: "der", type: "pkcs8" }));
}

function requireP256(key: KeyObject): KeyObject {
  if (key.asymmetricKeyDetails?.namedCurve === "prime256v1") return key;
  throw new Error("the key is not one on the curve P-256");
}

function encode(json: object): string {
  return Buffer.from(JSON.stringify(json)).toString("base64url");
}

function decode(part: string): unknown {
  return JSON.parse(Buffer.from(part, "base64url").toString());
}
