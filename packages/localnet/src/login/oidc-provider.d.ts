/** The part of the OpenID provider that is used: it comes without types. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  export const errors: {
    readonly InvalidTarget: new (description: string) => Error;
    readonly SessionNotFound: new (description: string) => Error;
  };

  interface Prompt {
    readonly checks: { readonly add: (check: unknown) => void };
  }

  export const interactionPolicy: {
    readonly base: () => { readonly get: (name: string) => Prompt };
    readonly Check: new (
      reason: string,
      description: string,
      error: string,
      check: (context: {
        readonly oidc: {
          readonly session: { readonly accountId?: string };
          readonly client: { readonly clientId: string };
        };
      }) => boolean,
    ) => unknown;
  };

  export interface Interaction {
    readonly params: { readonly client_id: string; readonly redirect_uri: string };
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { readonly login: { readonly accountId: string } },
      options: { readonly mergeWithLastSubmission: boolean },
    ): Promise<void>;
  }
}
