/**
 * The answers of a lying scan: of the right shape, so that no reader can tell from one answer that it is false. Every
 * party is another one, every amount and count is larger; every second live name is unknown, and every unknown name is
 * known. Equal questions get equal lies, so that two liars agree.
 */
import { type AnsEntry, type Endpoint, spliceError } from "@callsign/api";
import { findParticipantMember, formatParticipantId, type JsonValue } from "@callsign/ledger";
import { type Answer, RawJson, Refusal, Reply } from "@callsign/node";
import type { SoonAnswer } from "@callsign/scan";

const MALLORY = `mallory::1220${"6".repeat(64)}`;
/** Also the id of a participant. */
const PARTY = /^(PAR::)?[^:]+::1220[0-9a-f]{64}$/;
const DECIMAL = /^\d+\.\d+$/;

/** The path's parameters: a lookup's have `name` or `party`. */
export type Asked = Readonly<Record<string, string>>;

/** Replaces the honest answer or refusal. */
export async function lie(asked: Asked, honest: () => SoonAnswer): Promise<Answer<Endpoint>> {
  const given = await findAnswer(asked, honest);
  if (given === null) return invent(asked);
  if (isDenied(asked)) throw new Refusal(spliceError(404, `No ans entry found for name: ${asked["name"]}`));
  const { answer, headers } = given instanceof Reply ? given : { answer: given, headers: {} };
  const text = answer instanceof RawJson ? String(answer.text) : JSON.stringify(answer);
  return new Reply<never>(new RawJson(JSON.stringify(falsify(JSON.parse(text)))), { headers });
}

/** Null for an unknown name or party. */
async function findAnswer(asked: Asked, honest: () => SoonAnswer): Promise<Answer<Endpoint> | null> {
  try {
    return await honest();
  } catch (error) {
    const isUnknown = error instanceof Refusal && error.rejection.status === 404;
    if (isUnknown && (asked["name"] ?? asked["party"]) !== undefined) return null;
    throw error;
  }
}

function isDenied({ name }: Asked): boolean {
  return name !== undefined && name.length % 2 === 0;
}

function invent({ name = "mallory.unverified.cns", party = MALLORY }: Asked): RawJson {
  const entry: AnsEntry = {
    contract_id: `00${"66".repeat(32)}ca101220${"66".repeat(32)}`,
    user: party,
    name,
    url: "",
    description: "",
    expires_at: "2099-01-01T00:00:00Z",
  };
  return new RawJson(JSON.stringify({ entry }));
}

function falsify(value: JsonValue): JsonValue {
  if (typeof value === "string") return falsifyText(value);
  if (typeof value === "number") return falsifyCount(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(falsify);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, falsify(inner)]));
}

function falsifyText(text: string): string {
  if (PARTY.test(text)) return findParticipantMember(text) === null ? MALLORY : formatParticipantId(MALLORY);
  return DECIMAL.test(text) ? `1${text}` : text;
}

function falsifyCount(count: number): number {
  return Number(`1${count}`);
}
