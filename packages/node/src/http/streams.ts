/** An API's streams: the operations that are also websockets, and the rights to open and to keep one. */
import type { AnyRequest, Endpoint, EndpointTable, ServerRequest, StreamItemOf } from "@callsign/api";
import type { Call } from "./call.ts";

type StreamIds<T extends EndpointTable> = {
  readonly [Id in keyof T]: StreamItemOf<T[Id]> extends never ? never : Id;
}[keyof T];

/** Ends by itself, or when the call's signal is aborted. */
export type Streams<T extends EndpointTable, Caller> = {
  readonly [Id in StreamIds<T>]: (
    request: ServerRequest<T[Id]>,
    call: Call<Caller>,
  ) => AsyncIterable<StreamItemOf<T[Id]>>;
};

/** The facts about a caller that bound the life of a stream. */
export interface StreamHolder {
  /** Null for nobody in particular. */
  readonly userId: string | null;
  /** Seconds since 1970 by the machine's clock; null for a token without an end, or none. */
  readonly tokenExpiresAt: number | null;
  /** Changes when the user's rights change. */
  readonly authority: () => string | Promise<string>;
}

export interface StreamParts<T extends EndpointTable, Caller, Identity> {
  readonly open: Streams<T, Caller>;
  /** Throws for a caller who may open no stream at all. Called at the handshake, before the request has come. */
  readonly admit: (identity: Identity) => void;
  /** The same user with current rights; throws if the user may no longer call. The token is not checked again. */
  readonly renew: (identity: Identity) => Identity | Promise<Identity>;
  readonly holderOf: (identity: Identity) => StreamHolder;
}

export interface MountedStreams {
  readonly has: (endpoint: Endpoint) => boolean;
  readonly open: (endpoint: Endpoint, request: AnyRequest, call: Call<unknown>) => AsyncIterable<unknown>;
  readonly admit: (identity: unknown) => void;
  readonly renew: (identity: unknown) => unknown;
  readonly holderOf: (identity: unknown) => StreamHolder;
}

type MountedStream = (request: AnyRequest, call: Call<unknown>) => AsyncIterable<unknown>;

export function mountStreams<T extends EndpointTable, Caller, Identity>(
  parts: StreamParts<T, Caller, Identity>,
): MountedStreams {
  const byId = parts.open as unknown as Readonly<Record<string, MountedStream>>;
  const { admit, renew, holderOf } = parts as unknown as Omit<MountedStreams, "has" | "open">;
  return {
    has: ({ id }) => Object.hasOwn(byId, id),
    open: (endpoint, request, call) => {
      const open = byId[endpoint.id];
      if (open === undefined) throw new Error(`${endpoint.id} has no stream`);
      return open(request, call);
    },
    admit,
    renew,
    holderOf,
  };
}
