/**
 * A batch as one message of the stream. The header has the heads before and after the batch; the payload has the number
 * of entries, then each entry's UTF-8 with its length before it. Numbers have four bytes.
 */
import { DatabaseDamaged } from "@callsign/node";
import type { LogBatch, LogHead } from "./ordered-log.ts";

export const BATCH_HEADER = "Callsign-Batch";

const NUMBER_BYTES = 4;
const HEADER_FORM = /^(\d{1,16}) ([0-9a-f]{64}) (\d{1,16}) ([0-9a-f]{64})$/;

/** A batch in its place in the stream. */
export interface PlacedBatch extends Omit<LogBatch, "term"> {
  /** The message's number in the stream. It is the server's: the log's own numbers are those of the entries. */
  readonly position: number;
}

/** A message of the stream, as the server hands it out. */
export interface StoredMessage {
  readonly position: number;
  readonly header: string;
  readonly payload: Uint8Array;
}

export function formatBatchHeader({ after, head }: Pick<LogBatch, "after" | "head">): string {
  return `${after.sequence} ${after.entryHash} ${head.sequence} ${head.entryHash}`;
}

/** The bytes that entries take in a payload. */
export function payloadSize(entries: readonly string[]): number {
  return entries.reduce((size, entry) => size + NUMBER_BYTES + Buffer.byteLength(entry), 0);
}

export function encodePayload(entries: readonly string[]): Uint8Array {
  const payload = Buffer.allocUnsafe(NUMBER_BYTES + payloadSize(entries));
  let at = payload.writeUInt32BE(entries.length);
  for (const entry of entries) {
    const length = payload.write(entry, at + NUMBER_BYTES);
    at = payload.writeUInt32BE(length, at) + length;
  }
  return payload;
}

/** Throws a `DatabaseDamaged` if the message is no batch. */
export function parseBatch({ position, header, payload }: StoredMessage): PlacedBatch {
  const [, afterSequence, afterHash, headSequence, headHash] = HEADER_FORM.exec(header) ?? [];
  const entries = decodePayload(payload);
  const after = headOf(afterSequence, afterHash);
  const head = headOf(headSequence, headHash);
  if (entries !== null && head.sequence === after.sequence + entries.length)
    return { position, after, head, entries };
  throw new DatabaseDamaged(
    `message ${position} of the log's stream is no batch: its header ${BATCH_HEADER} is "${header.slice(0, 200)}", ` +
      `and its ${payload.length} bytes hold ${entries === null ? "no entries" : `${entries.length} entries`}. ` +
      "Nothing but sequencers may write to the stream",
  );
}

function headOf(sequence: string | undefined, entryHash: string | undefined): LogHead {
  return { sequence: Number(sequence ?? Number.NaN), entryHash: entryHash ?? "" };
}

/** Null if the numbers do not add up. */
function decodePayload(payload: Uint8Array): readonly string[] | null {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  const entries: string[] = [];
  let at = NUMBER_BYTES;
  while (at < bytes.length) {
    if (at + NUMBER_BYTES > bytes.length) return null;
    const end = at + NUMBER_BYTES + bytes.readUInt32BE(at);
    if (end > bytes.length) return null;
    entries.push(bytes.toString("utf8", at + NUMBER_BYTES, end));
    at = end;
  }
  return bytes.length >= NUMBER_BYTES && bytes.readUInt32BE() === entries.length ? entries : null;
}
