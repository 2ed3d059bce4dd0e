/** The users that a participant begins with. */
import type { UserStore } from "../store/user-store.ts";

const FIRST_ADMIN = "participant_admin";

/** Whoever the operator names may do everything, at every start; the first start makes one more, who can be deleted. */
export async function makeAdmins(users: UserStore, named: readonly string[]): Promise<void> {
  const [anybody] = await users.list({ identityProviderId: "", after: "", limit: 1 });
  const first = anybody === undefined ? [FIRST_ADMIN] : [];
  for (const id of [...first, ...named]) await makeAdmin(users, id);
}

async function makeAdmin(users: UserStore, id: string): Promise<void> {
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
  if (!(await users.create(user, [right]))) await users.grant(id, [right]);
}
