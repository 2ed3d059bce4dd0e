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

  noteAll(): void {
    this.#ofAll++;
  }

  /**
   * Runs work that changes contracts of these templates, by their entities, or all of them. If it fails, it may have changed any: readers may have
   * seen what was undone, and another process may have moved the copy on.
   */
  async during<T>(touched: Iterable<string> | "all", work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      if (touched === "all") this.noteAll();
      else this.#note(touched);
      return result;
    } catch (error) {
      this.noteAll();
      throw error;
    }
  }

  #note(entities: Iterable<string>): void {
    for (const entity of entities) this.#ofTemplates.set(entity, (this.#ofTemplates.get(entity) ?? 0) + 1);
  }
}
