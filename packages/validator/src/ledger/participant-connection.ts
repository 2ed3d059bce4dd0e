/** The way to the validator's participant, which its ledger API and its admin API share: user, token and TLS. */
import { type Api, type Client, createClient, type EndpointTable, trimBaseUrl } from "@callsign/api";
import type { Host, HttpClient, TlsClientConfig } from "@callsign/node";
import { PARTICIPANT_CALL_MILLISECONDS } from "../limits/limits.ts";

/** The participant's user that the validator itself is. */
export interface ServiceUser {
  readonly userId: string;
  /** Asked before every call; undefined sends none. */
  readonly token: () => string | undefined | Promise<string | undefined>;
  /** Told of a token that the participant refused. If `token` then gives another, the call is sent once more. */
  readonly onRejected?: (token: string) => void;
}

export interface ParticipantOptions extends ServiceUser {
  /** The base url, without the API's own path. */
  readonly url: string;
  readonly tls?: TlsClientConfig | undefined;
  readonly host: Host;
}

export interface ParticipantConnection<T extends EndpointTable> {
  readonly client: Client<T>;
  readonly connections: HttpClient;
}

export function connectParticipant<T extends EndpointTable>(
  api: Api<T>,
  { url, tls, token, onRejected, host }: ParticipantOptions,
): ParticipantConnection<T> {
  const connections = host.http.openClient(tls === undefined ? {} : { tls });
  const client = createClient(api, {
    fetch: connections.fetch,
    timers: host.timers,
    baseUrl: trimBaseUrl(url) + api.basePath,
    token,
    ...(onRejected === undefined ? {} : { onRejected }),
    timeoutMilliseconds: PARTICIPANT_CALL_MILLISECONDS,
  });
  return { client, connections };
}
