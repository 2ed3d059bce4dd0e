/** The users that a participant begins with. */
import type { Log } from "@callsign/node";
import type { UserStore } from "../store/user-store.ts";

const FIRST_ADMIN = "participant_admin";

/**
 * Whoever the operator names may do everything, at every start; the first start makes one more, who can be deleted.
 * They are users of the default identity provider: the admin of another one may have taken the name, and gets nothing.
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
