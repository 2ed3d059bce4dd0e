/** Text of others on one line of a terminal: it can neither begin a line of its own nor move the cursor. */
export function plainText(text: string): string {
  return text.replace(/[\p{C}\u2028\u2029]/gu, "?");
}
