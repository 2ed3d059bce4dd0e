/** Server-sent events, as scans send the changes of names. */
import { chunksOf } from "@callsign/api";

/** Either text may be empty. */
export interface SentEvent {
  readonly id: string;
  readonly data: string;
}

/** Longer than any event of a scan. */
const MAX_EVENT_CHARACTERS = 1_000_000;

/** Events as they come, comments and ids without data included. Throws if one is longer than any that is meant. */
export async function* readEvents(response: Response): AsyncGenerator<SentEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunksOf(response)) {
    rest += decoder.decode(chunk, { stream: true });
    const events = rest.split("\n\n");
    rest = events.pop() ?? "";
    if (rest.length > MAX_EVENT_CHARACTERS) throw new Error("an event of the stream is too long");
    for (const text of events) yield parseEvent(text);
  }
}

function parseEvent(text: string): SentEvent {
  const fields = text.split("\n").map((line) => /^(\w+): ?(.*)$/.exec(line) ?? []);
  const read = (name: string) =>
    fields
      .filter(([, field]) => field === name)
      .map(([, , value = ""]) => value)
      .join("\n");
  return { id: read("id"), data: read("data") };
}
