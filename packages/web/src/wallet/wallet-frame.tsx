import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { Page } from "../design/layout.tsx";
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
  const [location] = useLocation();
  return (
    <nav className="wallet-places" aria-label={wallet.title}>
      <ul>
        {PLACES.map(([place, path]) => (
          <li key={place}>
            <Link href={path} aria-current={location === path ? "page" : undefined}>
              {wallet.places[place]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
