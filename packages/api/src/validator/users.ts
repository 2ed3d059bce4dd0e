/** Users with a wallet here: they come in by themselves, or the operator brings them in and sends them away. */
import { z } from "zod";
import { defineEndpoints, empty, json } from "../endpoint.ts";
import { orNull } from "../wire/or-null.ts";

const OnboardUserRequest = z
  .object({
    name: z.string(),
    /** A party that exists; with `createPartyIfMissing`, the first part of a new one's id. */
    party_id: orNull(z.string()),
    /** Without a `party_id`, a missing party is created unless this is false. */
    createPartyIfMissing: orNull(z.boolean()),
  })
  .meta({ id: "OnboardUserRequest" });

const partyOfUser = { party_id: z.string() };

export const validatorUsers = defineEndpoints({ tags: ["validator"], auth: "validator-operator" })({
  register: {
    method: "POST",
    path: "/v0/register",
    summary: "Gives the caller a wallet, with a party and a user of the participant if they are missing",
    description:
      "Repeating it changes nothing. 409: the party of that name was not created for this user, or the operator has " +
      "removed the user; the operator decides with POST /v0/admin/users. A body is ignored.",
    auth: "user",
    success: json(z.object(partyOfUser).meta({ id: "RegistrationResponse" })),
    errors: [400, 401, 403, 404, 409, 429, 500, 503],
  },
  onboardUser: {
    method: "POST",
    path: "/v0/admin/users",
    summary: "Gives a user a wallet, with a party and a user of the participant if they are missing",
    description:
      "A user that the participant has keeps the party it has. Several users may share a party. Repeating it changes " +
      "nothing.",
    body: OnboardUserRequest,
    success: json(z.object(partyOfUser).meta({ id: "OnboardUserResponse" })),
    errors: [400, 401, 403, 404, 409, 429, 500, 503],
  },
  listUsers: {
    method: "GET",
    path: "/v0/admin/users",
    summary: "The names of the users with a wallet here",
    success: json(z.object({ usernames: z.array(z.string()) }).meta({ id: "ListUsersResponse" })),
    errors: [401, 403, 404, 503],
  },
  offboardUser: {
    method: "POST",
    path: "/v0/admin/users/offboard",
    summary: "Ends a user's wallet and deletes the user; the party and its coin stay",
    description: "A user without a wallet here is left alone. 400 for the users of the configuration.",
    query: z.object({ username: z.string() }),
    success: empty,
    errors: [400, 401, 403, 404, 409, 429, 500, 503],
  },
});
