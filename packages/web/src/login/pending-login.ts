/**
 * A login that is under way: the page leaves for the provider and comes back with a `state`, under which this was kept. It
 * holds no token. The verifier is of use only with the code, to this client, once.
 */
export interface PendingLogin {
  readonly verifier: string;
  readonly nonce: string;
  readonly wayBack: string;
}

const PREFIX = "callsign.login.";
/** Says that a user of this tab was logged in, so that a reload may ask the provider without showing a form. */
const REMEMBERED = "callsign.logged-in";

export function keepPendingLogin(state: string, pending: PendingLogin): void {
  dropPendingLogins();
  sessionStorage.setItem(PREFIX + state, JSON.stringify(pending));
}

/** Each is found once. */
export function takePendingLogin(state: string): PendingLogin | null {
  const text = sessionStorage.getItem(PREFIX + state);
  dropPendingLogins();
  return text === null ? null : (JSON.parse(text) as PendingLogin);
}

function dropPendingLogins(): void {
  const keys = Array.from({ length: sessionStorage.length }, (_, i) => sessionStorage.key(i));
  for (const key of keys) if (key?.startsWith(PREFIX)) sessionStorage.removeItem(key);
}

export function rememberLogin(isLoggedIn: boolean): void {
  if (isLoggedIn) sessionStorage.setItem(REMEMBERED, "yes");
  else sessionStorage.removeItem(REMEMBERED);
}

export function wasLoggedIn(): boolean {
  return sessionStorage.getItem(REMEMBERED) !== null;
}
