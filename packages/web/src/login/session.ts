/**
 * The user's session. Tokens live in this module's closure alone: no storage, no address, no attribute of the page has them,
 * and they are gone with the page.
 */
import { useSyncExternalStore } from "react";
import { startTimer } from "../browser/page-host.ts";
import { rememberLogin } from "./pending-login.ts";

/** The parts of a session that pages may know. */
export interface UserSession {
  /** The `sub` of the tokens. */
  readonly user: string;
}

export type SessionState =
  | {
      readonly kind: "out";
      readonly reason: "never" | "left" | "ended" | "failed";
      readonly problem: string | null;
    }
  | { readonly kind: "in"; readonly session: UserSession };

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly user: string;
  readonly lifetimeSeconds: number | null;
}

/** Asks the provider for new tokens. */
export type Refresh = (refreshToken: string) => Promise<Tokens>;

const REFRESH_AHEAD_SECONDS = 30;
const LONGEST_TIMER_SECONDS = 86_400;

let state: SessionState = { kind: "out", reason: "never", problem: null };
let tokens: Tokens | null = null;
let refresh: Refresh | null = null;
let refreshing: Promise<void> | null = null;
let stopTimer: () => void = () => undefined;
const listeners = new Set<() => void>();

function setState(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

export function beginSession(given: Tokens, by: Refresh): void {
  refresh = by;
  takeTokens(given);
  rememberLogin(true);
}

function takeTokens(given: Tokens): void {
  stopTimer();
  tokens = given;
  if (state.kind !== "in" || state.session.user !== given.user) {
    setState({ kind: "in", session: { user: given.user } });
  }
  if (given.lifetimeSeconds === null) return;
  const ahead = given.refreshToken === null ? 0 : REFRESH_AHEAD_SECONDS;
  const seconds = Math.min(Math.max(1, given.lifetimeSeconds - ahead), LONGEST_TIMER_SECONDS);
  stopTimer = startTimer(seconds * 1000, () => void renewSession());
}

/** New tokens, or the end of the session. One request at a time, whoever asks. */
export function renewSession(): Promise<void> {
  refreshing ??= askForTokens().finally(() => {
    refreshing = null;
  });
  return refreshing;
}

async function askForTokens(): Promise<void> {
  const refreshToken = tokens?.refreshToken ?? null;
  if (refreshToken === null || refresh === null) return endSession("ended");
  try {
    takeTokens(await refresh(refreshToken));
  } catch {
    endSession("ended");
  }
}

export function endSession(reason: "left" | "ended" | "failed", problem: string | null = null): void {
  stopTimer();
  tokens = null;
  refresh = null;
  if (reason !== "ended") rememberLogin(false);
  setState({ kind: "out", reason, problem });
}

/** For the header of a call, and nothing else. */
export function readAccessToken(): string | null {
  return tokens?.accessToken ?? null;
}

export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function readSession(): SessionState {
  return state;
}

export function useSession(): SessionState {
  return useSyncExternalStore(subscribeToSession, readSession);
}
