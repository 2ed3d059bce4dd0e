/**
 * What is wrong with a path, or with a body that goes with another path. The JSON layer finds it, so that it is said
 * before the caller is asked for rights, or even for a token.
 */
import type { Endpoint, ledgerApi, ServerRequest } from "@callsign/api";
import { findUserIdFault, invalidArgument, isUserId, jsonLayer } from "../requests/identifiers.ts";

type Endpoints = typeof ledgerApi.endpoints;
type RequestOf<Id extends keyof Endpoints> = ServerRequest<Endpoints[Id]>;

const MAX_SHOWN = 255;

export function checkPathAndBody({ id }: Endpoint, request: ServerRequest<Endpoint>): void {
  switch (id as keyof Endpoints) {
    case "updatePartyDetails": {
      const { params, body } = request as unknown as RequestOf<"updatePartyDetails">;
      checkSame("party", params.party, body.partyDetails?.party);
      break;
    }
    case "updateUser": {
      const { params, body } = request as unknown as RequestOf<"updateUser">;
      checkSame("user", params["user-id"], body.user?.id);
      break;
    }
    case "grantUserRights":
    case "revokeUserRights":
    case "updateUserIdentityProviderId": {
      const { params, body } = request as unknown as RequestOf<"grantUserRights">;
      // A body that leaves it to the path is taken.
      checkSame("user", params["user-id"], body.userId === "" ? params["user-id"] : body.userId);
      break;
    }
    case "getUser":
    case "listUserRights":
    case "deleteUser": {
      const id = (request as RequestOf<"getUser">).params["user-id"];
      if (!isUserId(id)) throw jsonLayer(invalidArgument(`Malformed user-id: ${findUserIdFault(id)}`));
    }
  }
}

function checkSame(what: string, inPath: string, inBody: string | undefined): void {
  if (inPath === inBody) return;
  const shown = inBody?.slice(0, MAX_SHOWN) ?? "(none)";
  throw jsonLayer(invalidArgument(`${inPath.slice(0, MAX_SHOWN)} does not match ${what} in body ${shown}`));
}
