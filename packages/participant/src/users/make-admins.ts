/** Creates the first administrators of a participant. */
import type { Log } from "@callsign/node";
import type { UserStore } from "../store/user-store.ts";

const FIRST_ADMIN = "participant_admin";

/**
 * Each start gives the users that the operator names the right ParticipantAdmin; the first start creates one more user,
 * which can be deleted. All are users of the default identity provider. A user of another one with that name gets nothing.
 */
export async function makeAdmins(users: UserStore, named: readonly string[], log: Log): Promise<void> {
  const { items } = await users.list({ identityProviderId: "", after: "", limit: 1 });
  const first = items.length === 0 ? [FIRST_ADMIN] : [];
  for (const id of [...first, ...named]) await makeAdmin(users, id, log);
}

async function makeAdmin(users: UserStore, id: string, log: Log): Promise<void> {
  const right = { kind: "ParticipantAdmin", party: "" } as const;
  const user = {
    id,
    primaryParty: "",
    isDeactivated: false,
    identityProviderId: "",
    primaryPartyAuthentication: false,
    resourceVersion: 0n,
    annotations: {},
  };
  if (await users.create(user, [right])) return;
  const identityProviderId = (await users.find(id))?.identityProviderId ?? "";
  if (identityProviderId === "") await users.grant(id, [right]);
  else {
    log.error(
      { user: id, identityProviderId },
      "a user whom the configuration names as admin belongs to an identity provider and gets no rights: name another, or delete that user",
    );
  }
}
