/** The last values that were made, by a key. */

/** More than the entries that one SV of a process is ahead of another while both follow the log. */
const MAX_VALUES = 256;

export class RecentValues<V> {
  readonly #values = new Map<string, V>();

  getOrMake(key: string, make: () => V): V {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const value = make();
    if (this.#values.size >= MAX_VALUES) this.#values.delete(this.#values.keys().next().value ?? "");
    this.#values.set(key, value);
    return value;
  }
}
