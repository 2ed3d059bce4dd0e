import { useEffect } from "react";
import { useLocation, useSearchParams } from "wouter";
import { useWebConfig } from "../config/web-config.ts";
import { ActionLink } from "../design/action.tsx";
import { Notice } from "../design/notice.tsx";
import { useWords } from "../words/words.ts";
import { decideRedirect, type RedirectTarget } from "./redirect-target.ts";

/** Of the page's query. */
export function useRedirectTarget(): RedirectTarget {
  const [query] = useSearchParams();
  return decideRedirect(query.get("redirect"), location.origin, useWebConfig().returnOrigins);
}

/** Behind an answer: the way back, which is followed at once if the payment was made and the address is one of ours. */
export function RedirectNotice({
  target,
  isFollowed,
}: {
  readonly target: RedirectTarget;
  readonly isFollowed: boolean;
}) {
  const { wallet } = useWords();
  const [, navigate] = useLocation();
  useEffect(() => {
    if (!isFollowed) return;
    if (target.kind === "own") navigate(target.path);
    if (target.kind === "family") location.assign(target.href);
  }, [isFollowed, target, navigate]);
  switch (target.kind) {
    case "none":
      return null;
    case "own":
      return (
        <div>
          <ActionLink href={target.path} kind="quiet">
            {wallet.confirm.goBack}
          </ActionLink>
        </div>
      );
    case "family":
      return (
        <p>
          <a href={target.href}>{wallet.confirm.goBack}</a>
        </p>
      );
    case "refused":
      return (
        <Notice kind="warn" title={wallet.confirm.refusedTitle}>
          <p>{wallet.confirm.refused}</p>
          <p className="mono">{target.text}</p>
        </Notice>
      );
  }
}
