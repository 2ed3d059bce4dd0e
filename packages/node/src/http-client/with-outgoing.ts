import type { Host } from "../host/host.ts";
import type { OutgoingOptions } from "../host/outgoing.ts";

/** The host with options of its own for every client: the forward proxy is set here, once a process. */
export function withOutgoing(host: Host, outgoing: OutgoingOptions): Host {
  return {
    ...host,
    http: {
      ...host.http,
      openClient: (options = {}) => host.http.openClient({ ...outgoing, ...options }),
    },
  };
}
