/**
 * Faults of a path, or of a body that contradicts its path. Canton's JSON layer finds them, so that they are reported
 * before missing rights and even before a missing token.
 */
import { findUserIdFault, invalidArgument, isUserId, jsonLayer } from "../requests/identifiers.ts";
import type { LedgerRequest } from "./ledger-request.ts";

const MAX_SHOWN = 255;

export function checkPathAndBody(request: LedgerRequest): void {
  switch (request.id) {
    case "updatePartyDetails":
      checkSame("party", request.params.party, request.body.partyDetails?.party);
      break;
    case "updateUser":
      checkSame("user", request.params["user-id"], request.body.user?.id);
      break;
    case "grantUserRights":
    case "revokeUserRights":
    case "updateUserIdentityProviderId": {
      const { params, body } = request;
      // The body may leave the user to the path.
      checkSame("user", params["user-id"], body.userId === "" ? params["user-id"] : body.userId);
      break;
    }
    case "getUser":
    case "listUserRights":
    case "deleteUser": {
      const userId = request.params["user-id"];
      if (!isUserId(userId))
        throw jsonLayer(invalidArgument(`Malformed user-id: ${findUserIdFault(userId)}`));
    }
  }
}

function checkSame(what: string, inPath: string, inBody: string | undefined): void {
  if (inPath === inBody) return;
  const shown = inBody?.slice(0, MAX_SHOWN) ?? "(none)";
  throw jsonLayer(invalidArgument(`${inPath.slice(0, MAX_SHOWN)} does not match ${what} in body ${shown}`));
}
