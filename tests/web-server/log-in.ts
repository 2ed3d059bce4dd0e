/** A browser's way through the login of a local network, by HTTP alone: cookies are kept, redirects are followed by hand. */
import { createHash, randomBytes } from "node:crypto";
import type { WebLogin } from "../../packages/api/src/index.ts";

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
  readonly expires_in: number;
}

export class Browser {
  readonly #cookies = new Map<string, string>();

  /** Follows no redirect. */
  async ask(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...init.headers, cookie: [...this.#cookies].map((pair) => pair.join("=")).join("; ") };
    const answer = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === "") this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }
}

export interface Attempt {
  readonly login: WebLogin;
  /** The page's origin and a slash. */
  readonly redirect: string;
  readonly verifier: string;
  readonly browser: Browser;
}

export function newAttempt(login: WebLogin, redirect: string): Attempt {
  return { login, redirect, verifier: randomBytes(32).toString("base64url"), browser: new Browser() };
}

export function authorizationUrl({ login, redirect, verifier }: Attempt, more: object = {}): string {
  const query = {
    client_id: login.clientId,
    response_type: "code",
    redirect_uri: redirect,
    scope: login.scope,
    audience: login.audience ?? "",
    state: "way-back",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...more,
  };
  return `${login.authority}/auth?${new URLSearchParams(query)}`;
}

export interface ShownPage {
  readonly url: string;
  readonly headers: Headers;
  readonly text: string;
  /** The users' buttons, by their labels: where each form leads. */
  readonly choices: ReadonlyMap<string, string>;
}

/** The page that asks who logs in. */
export async function openLogin(attempt: Attempt): Promise<ShownPage> {
  const begun = await attempt.browser.ask(authorizationUrl(attempt));
  const { origin } = new URL(attempt.login.authority);
  const url = new URL(begun.headers.get("location") ?? "", origin).href;
  const shown = await attempt.browser.ask(url);
  const text = await shown.text();
  const forms = text.matchAll(/<form method="post" action="([^"]+)"><button[^>]*>([^<]*)</g);
  const choices = new Map([...forms].map(([, action = "", label = ""]) => [label, origin + action]));
  return { url, headers: shown.headers, text, choices };
}

/** Chooses the user; the address that the browser comes back to. */
export async function choose({ browser, login }: Attempt, page: ShownPage, user: string): Promise<URL> {
  const chosen = page.choices.get(user);
  if (chosen === undefined) throw new Error(`the page has no button ${user}: ${page.text}`);
  let answer = await browser.ask(chosen, { method: "POST" });
  while (answer.headers.get("location")?.startsWith(login.authority) === true)
    answer = await browser.ask(answer.headers.get("location") ?? "");
  return new URL(answer.headers.get("location") ?? "");
}

export function askTokens(login: WebLogin, form: Record<string, string>, origin?: string): Promise<Response> {
  return fetch(`${login.authority}/token`, {
    method: "POST",
    headers: origin === undefined ? {} : { origin },
    body: new URLSearchParams({ client_id: login.clientId, ...form }),
  });
}

export function redeem({ login, redirect, verifier }: Attempt, code: string): Promise<Response> {
  const form = { grant_type: "authorization_code", code, redirect_uri: redirect, code_verifier: verifier };
  return askTokens(login, form);
}

/** The whole way. */
export async function logIn(login: WebLogin, redirect: string, user: string): Promise<Tokens> {
  const attempt = newAttempt(login, redirect);
  const back = await choose(attempt, await openLogin(attempt), user);
  return (await (await redeem(attempt, back.searchParams.get("code") ?? "")).json()) as Tokens;
}
