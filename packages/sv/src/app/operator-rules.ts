/** The callers of the SV app: validators bring a secret and need no token, operators' tokens are checked. */
import {
  authenticateUser,
  type CallRules,
  createTokenVerifier,
  findToken,
  type Host,
  type Log,
  TokenRejected,
  type TokenVerifierConfigs,
  type VerifyToken,
} from "@callsign/node";
import { NotAnOperator } from "./sv-app-error.ts";

export interface OperatorParts {
  /** `none`: no token is needed. Left out: nobody operates the SV over this API. */
  readonly auth?: TokenVerifierConfigs | { readonly kind: "none" };
  /** The users who operate the SV. */
  readonly operators: readonly string[];
  /** Aborted when the API stops. */
  readonly stopping: AbortSignal;
  readonly log: Log;
  readonly host: Host;
}

/** Null if the call needs no token. */
type User = string | null;

export function operatorRules({
  auth,
  operators,
  stopping,
  log,
  host,
}: OperatorParts): CallRules<User, User> {
  const isOpen = isDisabled(auth);
  const verify =
    auth === undefined || isDisabled(auth)
      ? refuseEverybody
      : createTokenVerifier(auth, { log, stopping, host });
  return {
    authenticate: (endpoint, incoming) =>
      endpoint.auth === "none" || isOpen
        ? null
        : authenticateUser({ verify, realm: "sv", token: findToken(incoming) }),
    authorize: (_endpoint, _request, user) => {
      if (user === null || operators.includes(user)) return user;
      throw new NotAnOperator(user);
    },
  };
}

function isDisabled(auth: OperatorParts["auth"]): auth is { readonly kind: "none" } {
  return auth !== undefined && "kind" in auth && auth.kind === "none";
}

const refuseEverybody: VerifyToken = async () => {
  throw new TokenRejected("no operators are configured");
};
