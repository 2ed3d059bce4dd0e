/** Whole lines of a text that comes in pieces. */
export class LineBuffer {
  readonly #maxLength: number;
  #rest = "";

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** The lines that end in this piece. Throws if the one that goes on is too long. */
  add(piece: string): readonly string[] {
    const text = this.#rest + piece;
    // A search would copy a line of very many pieces again and again.
    const lines = piece.includes("\n") ? text.split("\n") : [text];
    this.#rest = lines.pop() ?? "";
    if (this.#rest.length <= this.#maxLength) return lines;
    throw new Error(`a lookup channel has a line of more than ${this.#maxLength} characters`);
  }
}
