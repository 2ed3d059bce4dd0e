import type { ReactNode } from "react";
import { useState } from "react";
import { CallError } from "../calls/call-error.ts";
import { useRead } from "../calls/use-calls.ts";
import { useWebConfig } from "../config/web-config.ts";
import { ActionButton } from "../design/action.tsx";
import { Notice } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { logIn } from "../login/login.ts";
import { useSession } from "../login/session.ts";
import { useWords } from "../words/words.ts";

type Gated = { readonly children: ReactNode };

/** Shows its content to operators. Other users learn which user operates, and can log in as that one. */
export function RightsGate({ service, children }: Gated & { readonly service: "sv" | "validator" }) {
  return service === "sv" ? <SvGate>{children}</SvGate> : <ValidatorGate>{children}</ValidatorGate>;
}

function SvGate({ children }: Gated) {
  const { operator } = useWords();
  const rights = useRead("sv", "GET /v0/admin/authorization", {});
  const dso = useRead("sv", "GET /v0/dso", {}, { isWanted: isForbidden(rights.error) });
  if (isForbidden(rights.error)) {
    return <NotAnOperator of="sv" operator={dso.data?.sv_user ?? null} />;
  }
  return (
    <ReadView read={rights} waiting={operator.rights.waiting}>
      {() => children}
    </ReadView>
  );
}

function ValidatorGate({ children }: Gated) {
  const { operator } = useWords();
  const rights = useRead("validator", "GET /v0/admin/users", {});
  const info = useRead("validator", "GET /v0/validator-user", {}, { isWanted: isForbidden(rights.error) });
  if (isForbidden(rights.error)) {
    return <NotAnOperator of="validator" operator={info.data?.user_name ?? null} />;
  }
  return (
    <ReadView read={rights} waiting={operator.rights.waiting}>
      {() => children}
    </ReadView>
  );
}

function isForbidden(error: unknown): boolean {
  return error instanceof CallError && (error.status === 403 || error.status === 401);
}

function NotAnOperator({
  of,
  operator: user,
}: {
  readonly of: "sv" | "validator";
  readonly operator: string | null;
}) {
  const { operator } = useWords();
  const { login } = useWebConfig();
  const state = useSession();
  const [isLeaving, setLeaving] = useState(false);
  const me = state.kind === "in" ? state.session.user : "";
  const change = () => {
    if (login === null) return;
    setLeaving(true);
    void logIn(login).then(() => setLeaving(false));
  };
  return (
    <Notice kind="warn" title={operator.rights.title}>
      <p>{of === "sv" ? operator.rights.notSv(me) : operator.rights.notValidator(me)}</p>
      <p>{user === null ? operator.rights.unknown : operator.rights.who(user)}</p>
      {login === null ? null : (
        <p>
          <ActionButton
            kind="quiet"
            size="small"
            onPress={change}
            isPending={isLeaving}
            id="login-as-operator"
          >
            {operator.rights.logIn}
          </ActionButton>
        </p>
      )}
    </Notice>
  );
}
