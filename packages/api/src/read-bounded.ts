/** The text of a response, or undefined once it is longer than the limit; the rest is then not read. */
export async function readBounded(response: Response, maxBytes: number): Promise<string | undefined> {
  const length = response.headers.get("content-length");
  if (Number(length) > maxBytes) {
    await response.body?.cancel();
    return undefined;
  }
  // The sender is held to the length it announced, unless what it sends is packed.
  if (length !== null && response.headers.get("content-encoding") === null) return response.text();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of chunksOf(response)) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** A response's body is an async iterable in Node, but not in every browser. Leaving the loop cancels it. */
export async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  let finished = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      finished = done;
      if (done) return;
      yield value as Uint8Array;
    }
  } finally {
    if (!finished) await reader.cancel().catch(() => undefined);
  }
}
