/** The bodies of the last items, in memory: followers ask for them within a moment. */
import { RECENT_BODY_CHARACTERS } from "../limits/limits.ts";

export class RecentBodies {
  /** The oldest first. */
  readonly #bodies = new Map<string, string>();
  #characters = 0;

  add(member: string, offset: number, body: string): void {
    this.#bodies.set(keyOf(member, offset), body);
    this.#characters += body.length;
    for (const [key, oldest] of this.#bodies) {
      if (this.#characters <= RECENT_BODY_CHARACTERS) break;
      this.#bodies.delete(key);
      this.#characters -= oldest.length;
    }
  }

  find(member: string, offset: number): string | undefined {
    return this.#bodies.get(keyOf(member, offset));
  }

  clear(): void {
    this.#bodies.clear();
    this.#characters = 0;
  }
}

function keyOf(member: string, offset: number): string {
  return `${offset} ${member}`;
}
