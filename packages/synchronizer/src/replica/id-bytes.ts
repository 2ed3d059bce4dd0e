/**
 * Ids in few bytes, one behind the other: UUIDs and hashes as the bytes that their digits stand for, other ids as texts. A byte before each
 * says which it is.
 */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HASH = /^[0-9a-f]{64}$/;
const [UUID_BYTES, HASH_BYTES] = [16, 32];

/** Any other first byte is the length of a text. */
const [IS_UUID, IS_HASH, MAX_TEXT_BYTES] = [0xff, 0xfe, 0xfd];

/** Null if one of them is long, or cannot be written in UTF-8. */
export function packIds(ids: readonly string[]): Uint8Array | null {
  const packed = ids.map(packId);
  const whole = packed.filter((bytes) => bytes !== null);
  return whole.length < packed.length ? null : Buffer.concat(whole);
}

function packId(id: string): Buffer | null {
  if (UUID.test(id)) return Buffer.from(`${IS_UUID.toString(16)}${id.replaceAll("-", "")}`, "hex");
  if (HASH.test(id)) return Buffer.from(`${IS_HASH.toString(16)}${id}`, "hex");
  const bytes = Buffer.from(`\0${id}`);
  bytes[0] = bytes.length - 1;
  return bytes.length - 1 > MAX_TEXT_BYTES || !id.isWellFormed() ? null : bytes;
}

/** Bytes that have changed give other ids. */
export function unpackIds(packed: Uint8Array): readonly string[] {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const ids: string[] = [];
  let at = 0;
  while (at < bytes.length) {
    const form = bytes.readUInt8(at);
    const begin = at + 1;
    at = begin + lengthOf(form);
    const digits = form > MAX_TEXT_BYTES ? bytes.toString("hex", begin, at) : "";
    if (form === IS_UUID) ids.push(formatUuid(digits));
    else ids.push(form === IS_HASH ? digits : bytes.toString("utf8", begin, at));
  }
  return ids;
}

function lengthOf(form: number): number {
  if (form === IS_UUID) return UUID_BYTES;
  return form === IS_HASH ? HASH_BYTES : form;
}

function formatUuid(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
