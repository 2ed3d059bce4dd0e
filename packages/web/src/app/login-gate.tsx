import { type ReactNode, useState } from "react";
import { useWebConfig } from "../config/web-config.ts";
import { ActionButton } from "../design/action.tsx";
import { Page } from "../design/layout.tsx";
import { Notice } from "../design/notice.tsx";
import { logIn } from "../login/login.ts";
import { type SessionState, useSession } from "../login/session.ts";
import { useWords } from "../words/words.ts";

/** Shows its page to users with a session, and a way to log in to others. */
export function LoginGate({ children }: { readonly children: ReactNode }) {
  const state = useSession();
  return state.kind === "in" ? children : <LoginPage state={state} />;
}

function LoginPage({ state }: { readonly state: Extract<SessionState, { kind: "out" }> }) {
  const { shell } = useWords();
  const { login, services } = useWebConfig();
  const [isLeaving, setLeaving] = useState(false);

  if (login === null) {
    return (
      <Page title={shell.login.unavailable} lead={shell.login.unavailableAdvice} width="narrow">
        {null}
      </Page>
    );
  }
  const start = () => {
    setLeaving(true);
    void logIn(login).then(setLeaving);
  };
  return (
    <Page
      title={shell.login.title}
      lead={services.localNetwork === null ? shell.login.lead : shell.login.localLead}
      width="narrow"
    >
      <LoginReason state={state} />
      <div>
        <ActionButton onPress={start} isPending={isLeaving} id="login-button">
          {isLeaving ? shell.login.leaving : shell.logIn}
        </ActionButton>
      </div>
    </Page>
  );
}

function LoginReason({ state }: { readonly state: Extract<SessionState, { kind: "out" }> }) {
  const { shell } = useWords();
  switch (state.reason) {
    case "never":
      return null;
    case "left":
      return <Notice>{shell.login.left}</Notice>;
    case "ended":
      return <Notice kind="warn">{shell.login.ended}</Notice>;
    case "failed":
      return (
        <Notice kind="bad" title={shell.login.failed}>
          {state.problem === null ? null : <p>{state.problem}</p>}
          <p className="notice-words">{shell.login.failedAdvice}</p>
        </Notice>
      );
  }
}
