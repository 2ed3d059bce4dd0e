/** The pages of a developer: the local network as a whole, its users, its ledger and its APIs. */
import { type ComponentType, lazy, Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { useWebConfig } from "../config/web-config.ts";
import { Page } from "../design/layout.tsx";
import { Waiting } from "../design/notice.tsx";
import { PageTabs } from "../design/page-tabs.tsx";
import { useWords, type Words } from "../words/words.ts";
import { NetworkTab } from "./network-tab.tsx";
import { UsersTab } from "./users-tab.tsx";

const LedgerTab = lazy(async () => ({ default: (await import("./ledger/ledger-tab.tsx")).LedgerTab }));
const ApiTab = lazy(async () => ({ default: (await import("./api/api-tab.tsx")).ApiTab }));

interface DeveloperTab {
  readonly path: string;
  readonly label: (words: Words["developer"]) => string;
  readonly content: ComponentType;
  readonly needsLedger: boolean;
}

const TABS: readonly DeveloperTab[] = [
  { path: "/developer", label: ({ tabs }) => tabs.network, content: NetworkTab, needsLedger: false },
  { path: "/developer/users", label: ({ tabs }) => tabs.users, content: UsersTab, needsLedger: false },
  { path: "/developer/ledger", label: ({ tabs }) => tabs.ledger, content: LedgerTab, needsLedger: true },
  { path: "/developer/api", label: ({ tabs }) => tabs.api, content: ApiTab, needsLedger: false },
];

export function DeveloperPage() {
  const { developer, shell } = useWords();
  const { services } = useWebConfig();
  const tabs = TABS.filter(({ needsLedger }) => !needsLedger || services.ledger !== null);
  return (
    <Page title={developer.title} lead={developer.lead}>
      <PageTabs
        label={developer.tabsLabel}
        tabs={tabs.map(({ path, label }) => ({ href: path, label: label(developer) }))}
      />
      <Suspense fallback={<Waiting>{shell.loading}</Waiting>}>
        <Switch>
          {tabs.map(({ path, content: Content }) => (
            <Route key={path} path={path}>
              <Content />
            </Route>
          ))}
          <Route>
            <Redirect to="/developer" replace />
          </Route>
        </Switch>
      </Suspense>
    </Page>
  );
}
