import { Link, useLocation } from "wouter";
import "./page-tabs.css";

export interface PageTab {
  readonly href: string;
  readonly label: string;
}

/** Links between the pages of a section. */
export function PageTabs({ label, tabs }: { readonly label: string; readonly tabs: readonly PageTab[] }) {
  const [location] = useLocation();
  return (
    <nav className="page-tabs" aria-label={label}>
      <ul>
        {tabs.map(({ href, label: text }) => (
          <li key={href}>
            <Link href={href} aria-current={location === href ? "page" : undefined}>
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
