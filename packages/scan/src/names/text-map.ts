/**
 * A map by texts that callers choose. The engine interns every text that a `Map` is asked for, found or not, which is a
 * twentieth of all that a miss takes. Here a hash of the text takes its place. Of several texts with one hash, all but the
 * first are in a `Map`: no choice of texts makes a lookup slow.
 */
interface Kept<V> {
  readonly text: string;
  readonly value: V;
}

export class TextMap<V> {
  readonly #byHash = new Map<number, Kept<V>>();
  readonly #others = new Map<string, V>();

  get size(): number {
    return this.#byHash.size + this.#others.size;
  }

  get(text: string): V | undefined {
    const kept = this.#byHash.get(hashOf(text));
    if (kept !== undefined && kept.text === text) return kept.value;
    return this.#others.size === 0 ? undefined : this.#others.get(text);
  }

  set(text: string, value: V): void {
    const hash = hashOf(text);
    const kept = this.#byHash.get(hash);
    if (kept !== undefined && kept.text !== text) return void this.#others.set(text, value);
    this.#byHash.set(hash, { text: copyOf(text), value });
    if (this.#others.size > 0) this.#others.delete(text);
  }

  delete(text: string): void {
    const hash = hashOf(text);
    if (this.#byHash.get(hash)?.text === text) this.#byHash.delete(hash);
    else if (this.#others.size > 0) this.#others.delete(text);
  }

  clear(): void {
    this.#byHash.clear();
    this.#others.clear();
  }
}

let last = { text: "", hash: 0 };

/** The last one is remembered, because a lookup asks several maps for one text. */
function hashOf(text: string): number {
  if (last.text !== text) {
    let hash = 0;
    for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
    last = { text, hash };
  }
  return last.hash;
}

/** A text that is cut out of another, such as a request, keeps the whole of that in memory. */
function copyOf(text: string): string {
  return ` ${text}`.slice(1);
}
