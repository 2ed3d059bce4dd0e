/** The callers of the SV app: validators bring a secret and need no token, operators' tokens are checked. */
import { unauthorized } from "@callsign/api";
import {
  authenticateUser,
  type CallRules,
  createTokenVerifier,
  findToken,
  type Log,
  Refusal,
  TokenRejected,
  type TokenVerifier,
  type TokenVerifierConfig,
} from "@callsign/node";

export interface OperatorParts {
  /** `none`: no token is needed. Left out: nobody operates the SV over this API. */
  readonly auth?: TokenVerifierConfig | { readonly kind: "none" };
  /** The users who operate the SV. */
  readonly operators: readonly string[];
  /** Aborted when nobody is answered any more. */
  readonly stopping: AbortSignal;
  readonly log: Log;
}

/** Null: it needs none, or none is asked for. */
type User = string | null;

export function operatorRules({ auth, operators, stopping, log }: OperatorParts): CallRules<User, User> {
  const verify =
    auth === undefined || auth.kind === "none"
      ? refuseEverybody
      : createTokenVerifier(auth, { log, stopping });
  const isOpen = auth?.kind === "none";
  return {
    authenticate: (endpoint, incoming) =>
      endpoint.auth === "none" || isOpen
        ? null
        : authenticateUser({ verify, realm: "sv", endpoint, token: findToken(incoming), log }),
    authorize: (endpoint, _request, user) => {
      if (user === null || operators.includes(user)) return user;
      log.warn(
        { operation: endpoint.id, user, reason: "the user does not operate the SV" },
        "a caller may not do that",
      );
      throw new Refusal(unauthorized(user));
    },
  };
}

const refuseEverybody: TokenVerifier = async () => {
  throw new TokenRejected("no operators are configured");
};
