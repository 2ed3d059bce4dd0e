/** The users of the participant and their rights, and the identity providers it knows. */
import type { ParticipantUsersData, Right, User } from "@callsign/api";
import type { ParticipantClient } from "./participant-client.ts";

type UserData = ParticipantUsersData["users"][number];
type RightData = UserData["rights"][number];

/** Users of other identity providers than the validator's own are not shown to it. */
export async function listParticipantUsers(participant: ParticipantClient): Promise<ParticipantUsersData> {
  const { client } = participant;
  const { identityProviderConfigs } = await client.listIdentityProviderConfigs({});
  const users: UserData[] = [];
  for (let pageToken: string | null = ""; pageToken !== null; ) {
    const page: Awaited<ReturnType<typeof client.listUsers>> = await client.listUsers({
      query: { pageToken },
    });
    for (const user of page.users) {
      const { rights } = await client.listUserRights({ params: { "user-id": user.id } });
      users.push(describeUser(user, rights));
    }
    pageToken = page.nextPageToken === "" ? null : page.nextPageToken;
  }
  const identityProviders = identityProviderConfigs.map(
    ({ identityProviderId: id, isDeactivated, jwksUrl, issuer, audience }) => {
      return { id, isDeactivated, jwksUrl, issuer, audience };
    },
  );
  return { identityProviders, users };
}

function describeUser(user: User, rights: readonly Right[]): UserData {
  const { id, primaryParty, isDeactivated, metadata, identityProviderId } = user;
  const annotations = Object.entries(metadata?.annotations ?? {}).map(([key, value]) => ({ key, value }));
  return {
    ...{ id, isDeactivated, annotations, identityProviderId },
    primaryParty: primaryParty === "" ? null : primaryParty,
    rights: rights.flatMap(({ kind }) => describeRight(kind)),
  };
}

function describeRight(right: Right["kind"]): RightData[] {
  if ("CanActAs" in right) return [{ kind: "canActAs", party: right.CanActAs.value.party }];
  if ("CanReadAs" in right) return [{ kind: "canReadAs", party: right.CanReadAs.value.party }];
  if ("CanExecuteAs" in right) return [{ kind: "canExecuteAs", party: right.CanExecuteAs.value.party }];
  if ("CanReadAsAnyParty" in right) return [{ kind: "canReadAsAnyParty", party: null }];
  if ("CanExecuteAsAnyParty" in right) return [{ kind: "canExecuteAsAnyParty", party: null }];
  if ("ParticipantAdmin" in right) return [{ kind: "participantAdmin", party: null }];
  if ("IdentityProviderAdmin" in right) return [{ kind: "identityProviderAdmin", party: null }];
  return [];
}
