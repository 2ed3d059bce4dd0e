/**
 * An entry of the log as it is appended: our sequence number, the hash of the entry before it, the time its
 * sequencer stamped, the signed content. Its bytes are two lines of JSON: the header, then the content, which
 * is exactly what was signed.
 */
import type { Hash } from "../values/hash.ts";
import { malformed, type Parsed, parsed } from "../values/parsed.ts";
import { isTimeMicros, type Time } from "../values/time.ts";
import type { Verify } from "./key.ts";

export interface Signature {
  readonly publicKey: string;
  readonly signature: string;
}

export interface Envelope {
  /** The canonical text of an EntryContent. */
  readonly content: string;
  readonly signatures: readonly Signature[];
}

export interface LogEntry extends Envelope {
  readonly sequence: number;
  readonly previousHash: string;
  readonly stampedAt: Time;
}

export const FIRST_PREVIOUS_HASH: string = "0".repeat(64);

/** The signed message: the content behind a mark that no other use of the key has. */
export function signedMessage(content: string): string {
  return `callsign-entry-1\n${content}`;
}

export function formatLogEntry(entry: LogEntry): string {
  return `${formatHeader(entry)}\n${entry.content}`;
}

function formatHeader({ sequence, previousHash, stampedAt, signatures }: LogEntry): string {
  const signed = signatures.map(({ publicKey, signature }) => `["${publicKey}","${signature}"]`).join(",");
  return `[${sequence},"${previousHash}","${stampedAt}",[${signed}]]`;
}

/** The content enters by its own hash, which the transition needs as well: long texts are hashed once. */
export function hashLogEntry(hash: Hash, entry: LogEntry, contentHash: string = hash(entry.content)): string {
  return hash(`${formatHeader(entry)}\n${contentHash}`);
}

const HEADER = /^\[(\d{1,15}),"([0-9a-f]{64})","(-?\d{1,19})",(\[.*\])\]$/;
/** `["<public key>","<signature>"]`, and what stands where in it. */
const SIGNATURE_LENGTH = 199;
const [KEY_START, KEY_END, SIGNATURE_START, SIGNATURE_END] = [2, 66, 69, 197];
const HEX = /^[0-9a-f]{192}$/;

export function parseLogEntry(bytes: string): Parsed<LogEntry> {
  const split = bytes.indexOf("\n");
  const header = bytes.slice(0, Math.max(split, 0));
  const match = HEADER.exec(header);
  const [, sequence = "", previousHash = "", stampedAt = "0", signed = ""] = match ?? [];
  const micros = BigInt(stampedAt);
  const signatures = readSignatures(signed);
  const content = bytes.slice(split + 1);
  if (match !== null && isTimeMicros(micros)) {
    const entry = { sequence: Number(sequence), previousHash, stampedAt: micros, signatures, content };
    // An entry has one form: formatting it again must give the same bytes.
    if (formatHeader(entry) === header) return parsed(entry);
  }
  return malformed("log entry", bytes, "it is a header line and a content line, as the sequencer wrote them");
}

/** As many as there is room for; whether they are written as they should be shows when they are written again. */
function readSignatures(signed: string): readonly Signature[] {
  const signatures: Signature[] = [];
  for (let at = 1; at + SIGNATURE_LENGTH < signed.length; at += SIGNATURE_LENGTH + 1) {
    const publicKey = signed.slice(at + KEY_START, at + KEY_END);
    const signature = signed.slice(at + SIGNATURE_START, at + SIGNATURE_END);
    if (!HEX.test(publicKey + signature)) return [];
    signatures.push({ publicKey, signature });
  }
  return signatures;
}

/** The keys whose signatures hold; null if one of the signatures does not. */
export function verifiedKeys({ content, signatures }: Envelope, verify: Verify): readonly string[] | null {
  const message = signedMessage(content);
  const holds = signatures.every(({ publicKey, signature }) => verify(publicKey, message, signature));
  return holds ? signatures.map(({ publicKey }) => publicKey) : null;
}
