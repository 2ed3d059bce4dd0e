/** Daml's Text: Unicode scalar values. Lone surrogates and U+0000 cannot be stored everywhere: refused. */

/** Order by code point, which is the order of the UTF-8 bytes; JavaScript's `<` orders by UTF-16 units. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return codePointRank(x) - codePointRank(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above U+FFFF, so they rank after every other unit. */
function codePointRank(unit: number): number {
  return unit >= 0xd8_00 && unit <= 0xdf_ff ? unit + 0x1_00_00 : unit;
}

/** Order of strings that hold ASCII only, such as ids. */
export function compareAscii(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\u0000");
}

/** The length of the text in code points, as Daml counts it. */
export function codePointLength(text: string): bigint {
  return BigInt([...text].length);
}

const BEYOND_ASCII = /[\u0080-\uffff]/;

/** The length of the text in UTF-8, in bytes. */
export function utf8Length(text: string): number {
  if (!BEYOND_ASCII.test(text)) return text.length;
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    // A surrogate pair is two units and four bytes: two bytes each.
    bytes += unit < 0x8_00 || (unit >= 0xd8_00 && unit <= 0xdf_ff) ? 1 : 2;
  }
  return bytes;
}
