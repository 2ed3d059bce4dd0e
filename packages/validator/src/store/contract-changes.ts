/** Counts the changes of the copy's contracts, so that what was read of them is kept until one comes. */
import type { AnyTemplateDeclaration } from "@callsign/ledger";

export class ContractChanges {
  readonly #ofTemplates = new Map<string, number>();
  #ofAll = 0;

  /** Another number once contracts of these templates may have changed, also if they have not in the end. */
  of(templates: readonly AnyTemplateDeclaration[]): number {
    let changes = this.#ofAll;
    for (const { entity } of templates) changes += this.#ofTemplates.get(entity) ?? 0;
    return changes;
  }

  /** By the entities of their templates. */
  note(entities: Iterable<string>): void {
    for (const entity of entities) this.#ofTemplates.set(entity, (this.#ofTemplates.get(entity) ?? 0) + 1);
  }

  noteAll(): void {
    this.#ofAll++;
  }

  /** Runs work that changes any of them. Readers may see what it writes although it is undone in the end. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.noteAll();
    }
  }
}
