/** Parts that were started, closed in the opposite order: each depends on parts started before it. */
export class Closing {
  readonly #parts: { readonly close: () => Promise<unknown> }[] = [];

  add<T extends { readonly close: () => Promise<unknown> }>(part: T): T {
    this.#parts.push(part);
    return part;
  }

  async close(): Promise<void> {
    for (const part of this.#parts.splice(0).reverse()) await part.close();
  }
}

/** Waits for all of them although one has failed: the started ones are closed afterwards. */
export async function allOrNone<T>(starting: readonly Promise<T>[]): Promise<readonly T[]> {
  const settled = await Promise.allSettled(starting);
  return settled.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  });
}
