import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { useLocalClock } from "../calls/use-local-clock.ts";
import { isOffered } from "../config/offered.ts";
import { useWebConfig } from "../config/web-config.ts";
import { ActionButton } from "../design/action.tsx";
import { CallsignMark, MenuIcon } from "../design/icons.tsx";
import { logIn, logOut } from "../login/login.ts";
import { useSession } from "../login/session.ts";
import { LANGUAGES, type Language, useLanguage, useWords } from "../words/words.ts";
import { sections } from "./sections.ts";
import { chooseTheme, THEMES, useTheme } from "./theme.ts";
import "./shell.css";

/** The frame of every page: the header with the navigation, the page, and the footer with language and theme. */
export function Shell({
  onLanguage,
  children,
}: {
  readonly onLanguage: (language: Language) => void;
  readonly children: ReactNode;
}) {
  const { shell } = useWords();
  const { names } = useWebConfig();
  const main = useFocusOnNewPage();
  useLocalClock();
  return (
    <div className="shell">
      <a className="shell-skip" href="#main">
        {shell.skip}
      </a>
      <header className="shell-head">
        <ShellBar />
      </header>
      <main className="shell-main" id="main" tabIndex={-1} ref={main}>
        {children}
      </main>
      <footer className="shell-foot">
        <div className="shell-foot-bar">
          <span>
            {names.nameService}. {shell.footer}
          </span>
          <Choices onLanguage={onLanguage} />
        </div>
      </footer>
    </div>
  );
}

function ShellBar() {
  const { shell } = useWords();
  const { names } = useWebConfig();
  const [location] = useLocation();
  const [isOpen, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when another page is shown.
  useEffect(() => setOpen(false), [location]);
  return (
    <div className="shell-bar">
      <Link className="shell-brand" href="/">
        <CallsignMark />
        {shell.product}
        <span className="shell-network">{names.network}</span>
      </Link>
      <nav
        className="shell-nav"
        aria-label={shell.navigation}
        id="navigation"
        data-open={isOpen || undefined}
      >
        <SectionLinks />
      </nav>
      <UserPart />
      <ActionButton
        className="shell-menu"
        kind="plain"
        label={shell.menu}
        controls="navigation"
        isExpanded={isOpen}
        onPress={() => setOpen(!isOpen)}
      >
        <MenuIcon isOpen={isOpen} />
      </ActionButton>
    </div>
  );
}

function SectionLinks() {
  const words = useWords();
  const config = useWebConfig();
  const [location] = useLocation();
  return (
    <ul>
      {sections.map(({ id, path, label, needs, pages }) => {
        if (path === null || !isOffered(needs, config)) return null;
        const isHere = pages.some((page) => isBelow(location, page.path));
        return (
          <li key={id}>
            <Link href={path} aria-current={isHere ? "page" : undefined}>
              {label(words)}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** True for the page of the pattern and the pages below it. */
function isBelow(location: string, pattern: string): boolean {
  const root = pattern.replace(/\/[:*].*$/, "");
  return location === root || location.startsWith(`${root}/`);
}

function UserPart() {
  const { shell } = useWords();
  const { login } = useWebConfig();
  const state = useSession();
  if (login === null) return null;
  if (state.kind === "out") {
    return (
      <div className="shell-user">
        <ActionButton kind="quiet" size="small" onPress={() => void logIn(login)}>
          {shell.logIn}
        </ActionButton>
      </div>
    );
  }
  return (
    <div className="shell-user">
      <span className="shell-user-name" id="logged-in-user" title={shell.loggedInAs(state.session.user)}>
        {state.session.user}
      </span>
      <ActionButton kind="quiet" size="small" onPress={logOut} id="logout-button">
        {shell.logOut}
      </ActionButton>
    </div>
  );
}

function Choices({ onLanguage }: { readonly onLanguage: (language: Language) => void }) {
  const { shell } = useWords();
  const language = useLanguage();
  const theme = useTheme();
  return (
    <div className="shell-choices">
      <label className="shell-choice">
        {shell.language}
        <select value={language} onChange={(event) => onLanguage(event.target.value as Language)}>
          {LANGUAGES.map((each) => (
            <option key={each} value={each} lang={each}>
              {shell.languageNames[each]}
            </option>
          ))}
        </select>
      </label>
      <label className="shell-choice">
        {shell.theme}
        <select value={theme} onChange={(event) => chooseTheme(event.target.value as typeof theme)}>
          {THEMES.map((each) => (
            <option key={each} value={each}>
              {shell.themes[each]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** A new page begins at its top, and a screen reader there too. */
function useFocusOnNewPage() {
  const main = useRef<HTMLElement>(null);
  const [location] = useLocation();
  const shown = useRef(location);
  useEffect(() => {
    if (shown.current === location) return;
    const isSamePage = shown.current === "/" || shown.current.split("/")[1] === location.split("/")[1];
    shown.current = location;
    if (isSamePage) return;
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [location]);
  return main;
}
