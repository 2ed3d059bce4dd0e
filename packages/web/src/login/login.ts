/** Logging in and out, as pages ask for it. */
import type { WebLogin } from "@callsign/api";
import { safeWayBack } from "../browser/way-back.ts";
import { rememberLogin, takePendingLogin, wasLoggedIn } from "./pending-login.ts";
import type { LoginWish } from "./provider.ts";
import { beginSession, endSession, readSession, type Tokens } from "./session.ts";

/** A provider says these when it cannot answer without showing something. */
const NEEDS_FORM = new Set([
  "login_required",
  "interaction_required",
  "consent_required",
  "account_selection_required",
]);

/** Leaves for the provider, which returns the user to this address. False if that failed; the session then says why. */
export async function logIn(login: WebLogin, prompt: LoginWish["prompt"] = "login"): Promise<boolean> {
  try {
    const provider = await import("./provider.ts");
    const { pathname, search, hash } = location;
    await provider.leaveForProvider(login, { wayBack: `${pathname}${search}${hash}`, prompt });
    return true;
  } catch (error) {
    endSession("failed", describeProblem(error));
    return false;
  }
}

export function logOut(): void {
  endSession("left");
}

/** True if this tab was logged in before a reload: the provider may know the user still. */
export function canLogInAgain(): boolean {
  return readSession().kind === "out" && wasLoggedIn();
}

/**
 * Completes a login if the page was opened by the provider's redirect, and goes back to where it began. The code leaves the
 * address before anything else happens.
 */
export async function completeLogin(login: WebLogin): Promise<void> {
  const query = new URLSearchParams(location.search);
  const state = query.get("state");
  if (state === null || !(query.has("code") || query.has("error"))) return;
  const pending = takePendingLogin(state);
  history.replaceState(null, "", safeWayBack(pending?.wayBack ?? null, location.origin));
  if (pending === null) return;
  if (NEEDS_FORM.has(query.get("error") ?? "")) return rememberLogin(false);
  try {
    const provider = await import("./provider.ts");
    let tokens: Tokens = await provider.redeemCode(login, query, state, pending);
    beginSession(tokens, async () => {
      tokens = await provider.refreshTokens(login, tokens);
      return tokens;
    });
  } catch (error) {
    endSession("failed", describeProblem(error));
  }
}

function describeProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return `${error.message}${cause}`;
}
