/** Users come in and leave. */
import { offboardUser } from "../onboarding/offboard-user.ts";
import { onboardUser, registerUser } from "../onboarding/onboard-user.ts";
import type { Running, Served } from "./running.ts";

export function userHandlers(running: () => Running) {
  return {
    register: async (_, { caller }) => ({ party_id: await registerUser(running(), caller.userName) }),
    onboardUser: async ({ body }) => ({ party_id: await onboardUser(running(), body) }),
    listUsers: async () => ({ usernames: [...(await running().directory.listUsers())] }),
    offboardUser: ({ query }) => offboardUser(running(), query.username),
  } satisfies Partial<Served>;
}
