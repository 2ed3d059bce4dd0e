import { type ReactNode, Suspense } from "react";
import { Redirect, Route, Switch, useLocation, useSearch } from "wouter";
import { isOffered } from "../config/offered.ts";
import { useWebConfig } from "../config/web-config.ts";
import { ActionButton, ActionLink } from "../design/action.tsx";
import { Page } from "../design/layout.tsx";
import { Waiting } from "../design/notice.tsx";
import type { WebPage, WebSection } from "../routing/web-section.ts";
import { useWords } from "../words/words.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { LoginGate } from "./login-gate.tsx";
import { homeOf, sections } from "./sections.ts";

export function Router() {
  const [location] = useLocation();
  const config = useWebConfig();
  const search = useSearch();
  const query = search === "" ? "" : `?${search}`;
  const redirects = sections.flatMap(({ redirects = {} }) => Object.entries(redirects));
  return (
    <ErrorBoundary resetKey={location} fallback={<CrashPage />}>
      <Switch>
        <Route path="/">
          <Redirect to={homeOf(config) + query} replace />
        </Route>
        <Route path="/home">
          <Redirect to={homeOf(config) + query} replace />
        </Route>
        {sections.flatMap((section) =>
          section.pages.map((page) => (
            <Route key={page.path} path={page.path}>
              <OfferedPage section={section} page={page} />
            </Route>
          )),
        )}
        {redirects.map(([from, to]) => (
          <Route key={from} path={from}>
            <Redirect to={to + query} replace />
          </Route>
        ))}
        <Route>
          <NotFoundPage />
        </Route>
      </Switch>
    </ErrorBoundary>
  );
}

function OfferedPage({ section, page }: { readonly section: WebSection; readonly page: WebPage }) {
  const config = useWebConfig();
  const need = page.needs ?? section.needs;
  if (!isOffered(need, config)) return <NotHerePage />;
  const asksProxy = need === "names" && config.services.scan === null;
  const gated = (page.isForUsers ?? section.isForUsers) || asksProxy;
  const content = <LoadedPage page={page} />;
  return gated ? <LoginGate>{content}</LoginGate> : content;
}

function LoadedPage({ page: { page: Content } }: { readonly page: WebPage }): ReactNode {
  const { shell } = useWords();
  return (
    <Suspense
      fallback={
        <div className="page">
          <Waiting>{shell.loading}</Waiting>
        </div>
      }
    >
      <Content />
    </Suspense>
  );
}

function NotFoundPage() {
  const { shell } = useWords();
  return (
    <Page title={shell.notFound.title} lead={shell.notFound.lead} width="narrow">
      <div>
        <ActionLink href="/">{shell.notFound.home}</ActionLink>
      </div>
    </Page>
  );
}

function NotHerePage() {
  const { shell } = useWords();
  return (
    <Page title={shell.notHere.title} lead={shell.notHere.lead} width="narrow">
      <div>
        <ActionLink href="/">{shell.notFound.home}</ActionLink>
      </div>
    </Page>
  );
}

function CrashPage() {
  const { shell } = useWords();
  return (
    <Page title={shell.crash.title} lead={shell.crash.lead} width="narrow">
      <div>
        <ActionButton onPress={() => location.reload()}>{shell.crash.reload}</ActionButton>
      </div>
    </Page>
  );
}
