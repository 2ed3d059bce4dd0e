import { createContext, type ReactNode, useContext } from "react";
import { useChange, useRead } from "../calls/use-calls.ts";
import { useWebConfig } from "../config/web-config.ts";
import { ActionButton } from "../design/action.tsx";
import { Page, Panel } from "../design/layout.tsx";
import { ErrorNotice, Waiting } from "../design/notice.tsx";
import { useSession } from "../login/session.ts";
import { useWords } from "../words/words.ts";

const PartyContext = createContext<string | null>(null);

/** The party of the user's wallet. Only pages behind the gate ask for it. */
export function useParty(): string {
  const party = useContext(PartyContext);
  if (party === null) throw new Error("The page is not behind WalletGate.");
  return party;
}

const WATCH_MILLISECONDS = 2000;

/** Shows its page to users with a wallet, and offers one to others. */
export function WalletGate({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const { register } = useWords();
  const onboard = useChange("validator", "POST /v0/register");
  const isComing = onboard.isSuccess;
  const status = useRead(
    "validator",
    "GET /v0/wallet/user-status",
    {},
    isComing ? { everyMilliseconds: WATCH_MILLISECONDS } : {},
  );
  const found = status.data;
  if (found === undefined) {
    return (
      <Page title={title} width="narrow">
        {status.error === null ? (
          <Waiting>{register.gate.waiting}</Waiting>
        ) : (
          <ErrorNotice error={status.error} onRetry={() => void status.refetch()} />
        )}
      </Page>
    );
  }
  if (found.user_onboarded && found.user_wallet_installed && found.party_id !== "") {
    return <PartyContext value={found.party_id}>{children}</PartyContext>;
  }
  return <OnboardingPage title={title} onboard={onboard} isComing={isComing} />;
}

function OnboardingPage({
  title,
  onboard,
  isComing,
}: {
  readonly title: string;
  readonly onboard: ReturnType<typeof useChange<"validator", "POST /v0/register">>;
  readonly isComing: boolean;
}) {
  const { register } = useWords();
  const { names } = useWebConfig();
  const session = useSession();
  const user = session.kind === "in" ? session.session.user : "";
  return (
    <Page title={title} width="narrow">
      <Panel title={register.gate.title}>
        <p>{register.gate.lead(names.coin)}</p>
        <p>
          {register.gate.user} <strong id="user-id-field">{user}</strong>
        </p>
        {onboard.error === null ? null : <ErrorNotice error={onboard.error} />}
        {isComing ? (
          <Waiting>{register.gate.coming}</Waiting>
        ) : (
          <div>
            <ActionButton
              id="onboard-button"
              onPress={() => onboard.mutate({})}
              isPending={onboard.isPending}
            >
              {onboard.isPending ? register.gate.creating : register.gate.create}
            </ActionButton>
          </div>
        )}
      </Panel>
    </Page>
  );
}
