/**
 * A pipeline of two stages: each item is prepared while the caller works on the item before it. A failure of the source
 * or of the preparation surfaces when the item's turn comes. A caller that leaves the loop must end the source, because
 * the next item is already awaited.
 */
export async function* prepareAhead<T, R>(
  items: AsyncIterable<T>,
  prepare: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const source = items[Symbol.asyncIterator]();
  const pull = () => handledLater(pullNext(source, prepare));
  let next = pull();
  for (;;) {
    const current = await next;
    if (current === null) return;
    next = pull();
    yield await current.ready;
  }
}

interface Pulled<R> {
  readonly ready: Promise<R>;
}

async function pullNext<T, R>(
  source: AsyncIterator<T>,
  prepare: (item: T) => Promise<R>,
): Promise<Pulled<R> | null> {
  const { done, value } = await source.next();
  return done === true ? null : { ready: handledLater(prepare(value)) };
}

/** Keeps a rejection from being reported as unhandled before it is awaited, which may be never. */
function handledLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
