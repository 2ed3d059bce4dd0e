import type { ReactNode } from "react";
import { CallError } from "../calls/call-error.ts";
import { useWords, type Words } from "../words/words.ts";
import { ActionButton } from "./action.tsx";
import "./notice.css";

export type NoticeKind = "plain" | "good" | "warn" | "bad" | "accent";

export function Notice({
  kind = "plain",
  title,
  children,
}: {
  readonly kind?: NoticeKind;
  readonly title?: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="notice" data-kind={kind} role={kind === "bad" ? "alert" : "status"}>
      {title === undefined ? null : <p className="notice-title">{title}</p>}
      {children}
    </div>
  );
}

export function Badge({
  kind = "plain",
  children,
}: {
  readonly kind?: NoticeKind;
  readonly children: ReactNode;
}) {
  return (
    <span className="badge" data-kind={kind}>
      {children}
    </span>
  );
}

/** Says what it waits for. Calls end by themselves, so this does too. */
export function Waiting({ children }: { readonly children: ReactNode }) {
  return (
    <div className="waiting" role="status">
      {children}
    </div>
  );
}

export function Nothing({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="nothing">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

/** The title of a failed call, and the advice for its user. */
function describeCallError(error: unknown, { shell }: Words): { title: string; advice: string } {
  if (!(error instanceof CallError)) return shell.errors.unexpected;
  switch (error.kind) {
    case "unreachable":
      return shell.errors.unreachable;
    case "too-slow":
      return shell.errors.tooSlow;
    case "logged-out":
      return shell.errors.loggedOut;
    case "unreadable":
      return shell.errors.unexpected;
    case "refused":
      if (error.status === 403) return shell.errors.forbidden;
      if (error.status === 404) return shell.errors.notFound;
      if (error.status === 429) return shell.errors.tooMany;
      return error.isPassing ? shell.errors.unavailable : shell.errors.refused;
  }
}

/** An error with the server's own words, what to do, and a retry where there is one. */
export function ErrorNotice({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const words = useWords();
  const { title, advice } = describeCallError(error, words);
  const serverWords = error instanceof CallError ? error.serverWords : null;
  return (
    <Notice kind="bad" title={title}>
      {serverWords === null ? null : <p>{serverWords}</p>}
      <p className="notice-words">{advice}</p>
      {onRetry === undefined ? null : (
        <p>
          <ActionButton kind="quiet" size="small" onPress={onRetry}>
            {words.shell.retry}
          </ActionButton>
        </p>
      )}
    </Notice>
  );
}
