/** The users of this node's participant, and for each party one that may read as it. */
import type { Right, WebConfig } from "@callsign/api";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { call } from "../../calls/call.ts";
import { useRead } from "../../calls/use-calls.ts";
import { useWebConfig } from "../../config/web-config.ts";

const MAX_USERS = 50;

export interface ParticipantUser {
  readonly id: string;
  readonly party: string;
  readonly rights: readonly string[];
  readonly readsAs: readonly string[];
}

export interface Reader {
  readonly party: string;
  readonly user: string;
}

export interface Readers {
  readonly users: readonly ParticipantUser[];
  readonly readers: readonly Reader[];
}

/** Of the administrator, whom LocalNet lists without a node. */
export function useReaders(): UseQueryResult<Readers> {
  const config = useWebConfig();
  const users = useRead("localNetwork", "GET /ext/v1/users", {});
  const token = users.data?.users.find(({ node }) => node === null)?.token;
  const read = useQuery<Readers>({
    queryKey: ["ledger", "readers", token],
    queryFn: ({ signal }) => listReaders(config, token ?? "", signal),
    enabled: token !== undefined,
  });
  return users.error === null ? read : (users as unknown as UseQueryResult<Readers>);
}

async function listReaders(config: WebConfig, token: string, signal: AbortSignal): Promise<Readers> {
  const calling = { token, signal };
  const listed = await call(config, "ledger", "GET /v2/users", { query: { pageSize: MAX_USERS } }, calling);
  const users = await Promise.all(
    listed.users.map(async ({ id, primaryParty }): Promise<ParticipantUser> => {
      const request = { params: { "user-id": id } };
      const { rights } = await call(config, "ledger", "GET /v2/users/{user-id}/rights", request, calling);
      return { id, party: primaryParty, ...describeRights(rights) };
    }),
  );
  return { users, readers: chooseReaders(users) };
}

export function describeRights(rights: readonly Right[]) {
  const kinds = rights.flatMap(
    ({ kind }) => Object.entries(kind) as [string, { value?: { party?: string } }][],
  );
  return {
    rights: [...new Set(kinds.map(([name]) => name))],
    readsAs: kinds.flatMap(([name, { value }]) =>
      (name === "CanActAs" || name === "CanReadAs") && value?.party !== undefined ? [value.party] : [],
    ),
  };
}

/** One user for each party: the user whose own party it is, else the first that may. Parties with a user of their own come first. */
export function chooseReaders(users: readonly ParticipantUser[]): readonly Reader[] {
  const chosen = new Map<string, Reader>();
  for (const { id, party: own, readsAs } of users) {
    for (const party of readsAs) {
      if (!chosen.has(party) || party === own) chosen.set(party, { party, user: id });
    }
  }
  const isOwn = ({ party, user }: Reader) => users.some(({ id, party: own }) => id === user && own === party);
  return [...chosen.values()].sort(
    (a, b) => Number(isOwn(b)) - Number(isOwn(a)) || (a.party < b.party ? -1 : 1),
  );
}
