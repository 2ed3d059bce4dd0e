/**
 * Finds the caller of a token. An invalid token counts as none: the operation's rule decides whether it needs one. A valid
 * token of a user that does not exist is refused at once by every operation. A submission that there is no room for is refused
 * before the user is looked up: while there is too much to do, a refusal must cost little. A call without a token need not wait.
 */
import type { Endpoint } from "@callsign/api";
import { ledgerError } from "@callsign/ledger";
import { type Incoming, LedgerFailure, readBearerToken } from "@callsign/node";
import { isUserId } from "../requests/identifiers.ts";
import type { UserStore } from "../store/user-store.ts";
import { anybody, callerOf, type LedgerCaller, nobody, privilegedCaller } from "./caller.ts";
import type { AcceptedToken, RejectedToken, TokenService } from "./token-services.ts";

export function createAuthenticate(parts: {
  /** The services in the order in which they are asked; null if authentication is disabled. */
  readonly services: readonly TokenService[] | null;
  readonly users: UserStore;
  readonly participantId: string;
  /** Throws if there is no room for a submission; asked behind the token, so that nobody else learns of the load. */
  readonly checkRoom: (userId: string | null) => void;
}): (
  endpoint: Pick<Endpoint, "auth">,
  incoming: Pick<Incoming, "authorization">,
) => LedgerCaller | Promise<LedgerCaller> {
  const { services, users, participantId, checkRoom } = parts;
  return ({ auth }, { authorization }) => {
    const isSubmission = auth === "ledger:act-as";
    if (services === null) {
      if (isSubmission) checkRoom(null);
      return anybody;
    }
    const given = readBearerToken(authorization);
    if (given.kind === "none") return nobody;
    if (given.kind === "malformed") {
      const cause = "Invalid value for: header Authorization";
      throw new LedgerFailure(ledgerError("INVALID_ARGUMENT", cause), { layer: "json" });
    }
    return findCaller(services, given.token, isSubmission);
  };

  async function findCaller(
    services: readonly TokenService[],
    token: string,
    isSubmission: boolean,
  ): Promise<LedgerCaller> {
    const accepted = await findAccepted(services, token);
    if ("rejection" in accepted) return { ...nobody, tokenProblem: accepted.rejection };
    const { subject, expiresAt: tokenExpiresAt, privilege } = accepted;
    if (subject !== null && !isUserId(subject)) {
      const cause = "The submitted token has a field with invalid value: sub is no user id";
      throw new LedgerFailure(ledgerError("INVALID_TOKEN", cause), {
        whileResolvingToken: true,
        layer: "json",
      });
    }
    const addressee = accepted.participantId;
    const isMisaddressed = privilege === null && addressee !== null && addressee !== participantId;
    if (isSubmission && !isMisaddressed) checkRoom(subject);
    if (privilege !== null) return privilegedCaller(privilege, { userId: subject, tokenExpiresAt });
    const user = subject === null ? undefined : await users.findCaller(subject);
    if (user?.identityProviderId !== accepted.identityProviderId || user.isDeactivated) {
      const denied = ledgerError("PERMISSION_DENIED", `The token's user ${subject} is not an active user`);
      throw new LedgerFailure(denied, { whileResolvingToken: true });
    }
    return callerOf(user, { tokenExpiresAt, isMisaddressed });
  }
}

/** Accepted by the first service that verifies it; else with the reason of each. */
async function findAccepted(
  services: readonly TokenService[],
  token: string,
): Promise<AcceptedToken | RejectedToken> {
  const reasons: string[] = [];
  for (const service of services) {
    const judged = await service(token);
    if (!("rejection" in judged)) return judged;
    reasons.push(judged.rejection);
  }
  return { rejection: `the token was rejected: ${reasons.join("; ")}` };
}
