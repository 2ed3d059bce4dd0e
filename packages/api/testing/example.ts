import type { Api, ClientRequest, EndpointTable, ResponseOf, ServerRequest } from "../src/index.ts";

/** One exchange of an operation, written by hand. */
type Example<Request, Received, Response> = {
  /** The parts that the server's handler sees otherwise than they were sent: decoded, with defaults filled in. */
  readonly received?: Partial<Received>;
  readonly response: Response;
  /** The argument of the client's method; nothing unless given. */
} & (Record<never, never> extends Request ? { readonly request?: Request } : { readonly request: Request });

/** An example for each operation: the compiler asks for one when a table grows. */
export type Examples<A extends Api> =
  A extends Api<infer T extends EndpointTable>
    ? {
        readonly [Id in keyof T]: Example<ClientRequest<T[Id]>, ServerRequest<T[Id]>, ResponseOf<T[Id]>>;
      }
    : never;

/** An example with all of its parts. */
export interface WholeExample {
  readonly request: object;
  /** The request as the server's handler sees it. */
  readonly received: object;
  readonly response: unknown;
}

export function completeExamples(
  examples: Readonly<Record<string, Example<object, object, unknown>>>,
): Readonly<Record<string, WholeExample>> {
  const whole = Object.entries(examples).map(([id, { request = {}, received, response }]) => {
    const parts = { params: {}, query: {}, body: undefined };
    return [id, { request, received: { ...parts, ...request, ...received }, response }] as const;
  });
  return Object.fromEntries(whole);
}
