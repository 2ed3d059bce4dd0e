/** The parts that the pages behind links to requests share. */
import type { ReactNode } from "react";
import { useParams } from "wouter";
import { ActionLink } from "../design/action.tsx";
import { Page } from "../design/layout.tsx";
import { Nothing, Notice } from "../design/notice.tsx";
import { WalletGate } from "../register/wallet-gate.tsx";
import { useWords } from "../words/words.ts";

export type Answer = "paid" | "rejected";

/** A page for the request whose contract id stands in the address. */
export function ConfirmFrame({
  title,
  children,
}: {
  readonly title: string;
  readonly children: (cid: string) => ReactNode;
}) {
  const { cid = "" } = useParams<{ cid: string }>();
  return (
    <WalletGate title={title}>
      <Page title={title} width="narrow">
        {children(cid)}
      </Page>
    </WalletGate>
  );
}

export function GoneNotice() {
  const { wallet } = useWords();
  return (
    <Nothing title={wallet.confirm.gone}>
      <p>{wallet.confirm.goneAdvice}</p>
      <ActionLink href="/wallet/offers" kind="quiet">
        {wallet.places.offers}
      </ActionLink>
    </Nothing>
  );
}

export function AnswerNotice({ answer }: { readonly answer: Answer }) {
  const { wallet } = useWords();
  if (answer === "rejected") return <Notice title={wallet.confirm.rejected} />;
  return (
    <Notice kind="good" title={wallet.confirm.paid}>
      <p>{wallet.confirm.paidLead}</p>
    </Notice>
  );
}
