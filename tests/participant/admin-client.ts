/** A participant's admin API, as a user. */
import { type Client, createClient, participantAdminApi } from "../../packages/api/src/index.ts";
import { ADMIN, tokenFor } from "../support/participants.ts";

export type AdminClient = Client<typeof participantAdminApi.endpoints>;

export function adminClient(url: string, user: string | null = ADMIN): AdminClient {
  return createClient(participantAdminApi, {
    fetch,
    baseUrl: url + participantAdminApi.basePath,
    ...(user === null ? {} : { token: () => tokenFor(user) }),
  });
}
