/**
 * An entry of the log as it is appended: our sequence number, the hash of the entry before it, the time its
 * sequencer stamped, the signed content. Its bytes are two lines of JSON: the header, then the content, which
 * is exactly what was signed.
 *
 * From protocol version 4 on the first entry of a batch has a stamp that its sequencer signed, and the entries behind it
 * have none.
 */
import type { Hash } from "../values/hash.ts";
import { isHex } from "../values/hex.ts";
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
  /** Null for an entry without a stamp. */
  readonly stampedAt: Time | null;
  /** The sequencer's signature of the stamp; none before protocol version 4. */
  readonly stampedBy?: Signature;
}

export const FIRST_PREVIOUS_HASH: string = "0".repeat(64);

/** The signed message: the content behind a mark that no other use of the key has. */
export function signedMessage(content: string): string {
  return `callsign-entry-1\n${content}`;
}

/** The message that a sequencer signs: the stamp and its place in the log, so that it counts nowhere else. */
export function stampMessage(previousHash: string, stampedAt: Time): string {
  return `callsign-stamp-1\n${previousHash}\n${stampedAt}`;
}

export function formatLogEntry(entry: LogEntry): string {
  return `${formatHeader(entry)}\n${entry.content}`;
}

function formatHeader({ sequence, previousHash, stampedAt, stampedBy, signatures }: LogEntry): string {
  const signed = signatures.map(formatSignature).join(",");
  if (stampedAt === null) return `[${sequence},"${previousHash}",null,[${signed}]]`;
  const stamp = stampedBy === undefined ? "" : `,${formatSignature(stampedBy)}`;
  return `[${sequence},"${previousHash}","${stampedAt}",[${signed}]${stamp}]`;
}

function formatSignature({ publicKey, signature }: Signature): string {
  return `["${publicKey}","${signature}"]`;
}

/** The content enters by its own hash, which the transition needs as well: long texts are hashed once. */
export function hashLogEntry(hash: Hash, entry: LogEntry, contentHash: string = hash(entry.content)): string {
  return hash(`${formatHeader(entry)}\n${contentHash}`);
}

/** Number, previous hash, stamp or `null`, signatures, signature of the stamp if it has one. Hex digits are checked apart. */
const HEADER =
  /^\[(\d{1,15}),"([^"]{64})",(?:"(-?\d{1,19})"|null),(\[\]|\[\[.*?\]\])(?:,\["([^"]{64})","([^"]{128})"\])?\]$/;
/** `["<public key>","<signature>"]`, and what stands where in it. */
const SIGNATURE_LENGTH = 199;
const [KEY_START, KEY_END, SIGNATURE_START, SIGNATURE_END] = [2, 66, 69, 197];

export function parseLogEntry(bytes: string): Parsed<LogEntry> {
  const split = bytes.indexOf("\n");
  const header = bytes.slice(0, Math.max(split, 0));
  const match = HEADER.exec(header);
  const [, sequence = "", previousHash = "", stamp, signed = "", publicKey, signature = ""] = match ?? [];
  const hasHex = isHex(previousHash) && isHex(publicKey ?? "") && isHex(signature);
  const stampedAt = stamp === undefined ? null : BigInt(stamp);
  const signatures = readSignatures(signed);
  const content = bytes.slice(split + 1);
  if (match !== null && hasHex && (stampedAt === null || isTimeMicros(stampedAt))) {
    const entry: LogEntry = {
      ...{ sequence: Number(sequence), previousHash, stampedAt, signatures, content },
      ...(publicKey === undefined ? {} : { stampedBy: { publicKey, signature } }),
    };
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
    if (!isHex(publicKey) || !isHex(signature)) return [];
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
