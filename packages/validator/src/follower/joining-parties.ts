/** Parties that are to be followed from the next step on, each with its waiting callers. */
export interface JoiningParty extends PromiseWithResolvers<void> {
  readonly party: string;
}

export class JoiningParties {
  #joining = new Map<string, JoiningParty>();

  get isEmpty(): boolean {
    return this.#joining.size === 0;
  }

  add(party: string): Promise<void> {
    const joining = this.#joining.get(party) ?? { party, ...Promise.withResolvers<void>() };
    this.#joining.set(party, joining);
    return joining.promise;
  }

  takeAll(): readonly JoiningParty[] {
    const joining = [...this.#joining.values()];
    this.#joining = new Map();
    return joining;
  }
}
