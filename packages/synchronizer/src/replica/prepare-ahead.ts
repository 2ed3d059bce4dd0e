/**
 * Items as they come, each prepared while the one before it is being worked on. What fails, in the source or in the
 * preparation, fails when its turn comes. Who leaves the loop has to end the source: it is waited for already.
 */
export async function* prepareAhead<T, R>(
  items: AsyncIterable<T>,
  prepare: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const source = items[Symbol.asyncIterator]();
  const pull = () => seenLater(pullNext(source, prepare));
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
  return done === true ? null : { ready: seenLater(prepare(value)) };
}

/** It is looked at when its turn comes, which may be never. */
function seenLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
