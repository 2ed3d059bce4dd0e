/** Asks on a lookup channel, and by a request where the channel gives no answer. */
import {
  type Endpoint,
  formatTarget,
  TransportError,
  type UnreadAnswer,
  type UntypedRequest,
} from "@callsign/api";
import { onAbort } from "../waiting/abort.ts";
import type { AnswerStanding, LookupChannel } from "./lookup-channel.ts";

export interface ChannelAnswered extends UnreadAnswer {
  /** Null, or not there, if the server does not tell when it would answer otherwise. */
  readonly standing?: AnswerStanding | null;
}

export interface ChannelRequest {
  readonly endpoint: Endpoint;
  readonly request: UntypedRequest;
  readonly headers: Readonly<Record<string, string>>;
  /** With the API's prefix. */
  readonly baseUrl: string;
  /** The time for the answer; the channel's own if omitted. */
  readonly timeoutMilliseconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** By a request where there is no channel. Throws a `TransportError`. */
export function askByChannel(
  channel: LookupChannel | null,
  { endpoint, request, headers, baseUrl, timeoutMilliseconds, signal }: ChannelRequest,
  sendRequest: () => Promise<UnreadAnswer>,
): Promise<ChannelAnswered> {
  const target = channel === null ? null : formatTarget(endpoint, request);
  if (channel === null || target === null) return sendRequest();
  const site = { operation: endpoint.id, url: baseUrl + target };
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () =>
      reject(new TransportError({ site, failure: "aborted", problem: "the caller gave up" })),
    );
    const isAsked = channel.ask(
      { target, headers },
      (answer, standing) => {
        stopListening();
        // Nobody waits for it any more.
        if (signal?.aborted === true) return;
        if (answer === null) resolve(sendRequest());
        else if (answer === "late")
          reject(new TransportError({ site, failure: "timeout", problem: "no whole answer in time" }));
        else {
          const header = (name: string) => answer.headers[name] ?? null;
          resolve({ status: answer.status, text: answer.body, header, site, standing });
        }
      },
      timeoutMilliseconds,
    );
    if (isAsked) return;
    stopListening();
    // Nobody would hear of a request that fails.
    if (signal?.aborted !== true) resolve(sendRequest());
  });
}
