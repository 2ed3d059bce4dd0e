/** The body of a call: its sender is checked before a large one is read. */
import type { Arrival } from "./arrival.ts";
import { callerAddressOf } from "./caller-address.ts";
import { dialectOf } from "./dialect.ts";
import { ARRIVAL_MILLISECONDS, STRANGERS_ARRIVAL_MILLISECONDS } from "./limits.ts";
import { announcedBytes, readBody } from "./read-body.ts";
import { Refusal } from "./refusal.ts";

/** Nobody knows yet who sends a small body: it takes no memory to speak of. */
export type Sender = "known" | "stranger" | "sender of a small body";

/**
 * The token of a large body's sender is checked before the body is read: without a valid one no caller can fill the memory.
 * It is checked again behind the body, because rights may change meanwhile.
 */
export async function findSender({ mount, endpoint, request, incoming }: Arrival): Promise<Sender> {
  const { authenticate, isKnown = (identity) => identity !== null, admitBody } = mount.rules;
  const identity = await authenticate(endpoint, incoming);
  admitBody?.(endpoint, identity, announcedBytes(request));
  return isKnown(identity) ? "known" : "stranger";
}

/** Bodies are read within the API's limit, and large ones within the budget of the port. */
export async function receiveBody(arrival: Arrival, sender: Sender): Promise<string> {
  const { mount, request, response, incoming, setting } = arrival;
  const { maxBodyBytes: maxBytes } = mount.api;
  const { timers } = setting.system;
  // A small body counts as well if it comes in very many pieces.
  const memory = setting.budget.open(sender === "known" ? null : callerAddressOf(request.socket));
  response.once("close", memory.release);
  const milliseconds = sender === "stranger" ? STRANGERS_ARRIVAL_MILLISECONDS : ARRIVAL_MILLISECONDS;
  const body = await readBody(request, { maxBytes, memory, milliseconds, timers });
  if (typeof body === "string") return body;
  const { traceId } = incoming;
  const dialect = dialectOf(mount.api);
  switch (body.fault) {
    case "too large":
      throw new Refusal(dialect.tooLarge(traceId, maxBytes));
    case "no room":
      throw new Refusal(dialect.overloaded(traceId));
    case "too slow":
      throw new Refusal(dialect.unreadable(408, "its body took too long to arrive", traceId));
    case "not UTF-8":
      throw new Refusal(dialect.unreadable(400, "its body is not UTF-8", traceId));
  }
}
