import type { ReactNode } from "react";
import { Page } from "../design/layout.tsx";
import { PageTabs } from "../design/page-tabs.tsx";
import { WalletGate } from "../register/wallet-gate.tsx";
import { useWords } from "../words/words.ts";
import "./wallet.css";

const PLACES = [
  ["overview", "/wallet"],
  ["send", "/wallet/send"],
  ["offers", "/wallet/offers"],
  ["history", "/wallet/history"],
  ["subscriptions", "/wallet/subscriptions"],
  ["traffic", "/wallet/traffic"],
  ["allocations", "/wallet/allocations"],
  ["delegations", "/wallet/delegations"],
  ["fund", "/wallet/development-fund"],
  ["help", "/wallet/help"],
] as const;

export type WalletPlace = (typeof PLACES)[number][0];

/** A page of the wallet, with the way to its others. */
export function WalletFrame({
  place,
  lead,
  children,
}: {
  readonly place: WalletPlace;
  readonly lead?: string;
  readonly children: ReactNode;
}) {
  const { wallet } = useWords();
  const title = place === "overview" ? wallet.title : wallet.places[place];
  return (
    <WalletGate title={title}>
      <Page title={title} {...(lead === undefined ? {} : { lead })}>
        <WalletPlaces />
        {children}
      </Page>
    </WalletGate>
  );
}

function WalletPlaces() {
  const { wallet } = useWords();
  return (
    <PageTabs
      label={wallet.title}
      tabs={PLACES.map(([place, href]) => ({ href, label: wallet.places[place] }))}
    />
  );
}
