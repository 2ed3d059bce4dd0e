/** The types of an endpoint's messages, for clients and for servers. */
import type { z } from "zod";
import type { Endpoint, EndpointTable } from "./endpoint.ts";

type Params<E> = E extends { readonly params: infer P extends z.ZodType } ? P : undefined;
type Query<E> = E extends { readonly query: infer Q extends z.ZodObject } ? Q : undefined;
type Body<E> = E extends { readonly body: infer B extends z.ZodType } ? B : undefined;

/** Values as the server reads them; what has a default may be left out. */
type QueryArguments<Q extends z.ZodObject> = {
  readonly [K in keyof z.input<Q>]: z.output<Q>[K & keyof z.output<Q>];
};

type ParamsPart<P> = P extends z.ZodType ? { readonly params: Readonly<z.input<P>> } : unknown;

type QueryPart<Q> = Q extends z.ZodObject
  ? Record<never, never> extends QueryArguments<Q>
    ? { readonly query?: QueryArguments<Q> }
    : { readonly query: QueryArguments<Q> }
  : unknown;

type BodyPart<E, B> = B extends z.ZodType
  ? E extends { readonly bodyMayBeAbsent: true }
    ? { readonly body?: z.input<B> }
    : { readonly body: z.input<B> }
  : unknown;

/** The argument of a client's method. */
export type ClientRequest<E extends Endpoint> = Readonly<Record<never, never>> &
  ParamsPart<Params<E>> &
  QueryPart<Query<E>> &
  BodyPart<E, Body<E>>;

type Read<S> = S extends z.ZodType ? z.output<S> : Record<never, never>;

export interface DecodedRequest<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

/** A request as handlers see it: decoded, checked, with defaults filled in. */
export type ServerRequest<E extends Endpoint> = DecodedRequest<
  Read<Params<E>>,
  Read<Query<E>>,
  Body<E> extends infer B extends z.ZodType ? z.output<B> : undefined
>;

/** A request to any operation of a table, with that operation's id and rule: a switch over either narrows the rest. */
export type TableRequest<T extends EndpointTable> = {
  readonly [Id in keyof T]: ServerRequest<T[Id]> & Pick<T[Id], "id" | "auth">;
}[keyof T];

/** A request to some operation, of whatever table. */
export type AnyRequest = DecodedRequest<unknown, unknown, unknown> & Pick<Endpoint, "id" | "auth">;

/** The answer of a success. Every key is there; a key without a value is null. */
export type ResponseOf<E extends Endpoint> = E["success"] extends {
  readonly kind: "json";
  readonly schema: infer S extends z.ZodType;
}
  ? z.output<S>
  : E["success"] extends { readonly kind: "text" }
    ? string
    : undefined;

/** The item in each frame of an operation's websocket; never for an operation without one. */
export type StreamItemOf<E extends Endpoint> = E extends { readonly streamItem: infer S extends z.ZodType }
  ? z.output<S>
  : never;
