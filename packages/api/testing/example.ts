import type { Api, ClientRequest, EndpointTable, ResponseOf, ServerRequest } from "../src/index.ts";

/** One exchange of an operation, written by hand. */
export interface Example<Request, Received, Response> {
  /** The argument of the client's method. */
  readonly request: Request;
  /** The same as the server's handler sees it: decoded, with defaults filled in. */
  readonly received: Received;
  readonly response: Response;
}

/** An example for each operation: the compiler asks for one when a table grows. */
export type Examples<A extends Api> =
  A extends Api<infer T extends EndpointTable>
    ? {
        readonly [Id in keyof T]: Example<ClientRequest<T[Id]>, ServerRequest<T[Id]>, ResponseOf<T[Id]>>;
      }
    : never;

/** Of an operation that takes nothing. */
export const nothing = { params: {}, query: {}, body: undefined } as const;
