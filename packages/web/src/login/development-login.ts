/** Under `vite` alone: a session of the local network's user, without a provider. A built application has no trace of it. */
import { beginSession } from "./session.ts";

export async function logInForDevelopment(): Promise<void> {
  const answer = await fetch("/development-login.json");
  const given = (await answer.json()) as { readonly user: string; readonly token: string } | null;
  if (given === null) return;
  const tokens = { accessToken: given.token, refreshToken: null, user: given.user, lifetimeSeconds: null };
  beginSession(tokens, () => Promise.resolve(tokens));
}
