/** Bytes as digits, and back. The methods of `Uint8Array` for this came with Node 25. */
export function hexOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("hex");
}

/** The text is made of pairs of digits. The bytes have memory of their own, not a part of Node's pool. */
export function bytesOfHex(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "hex"));
}
