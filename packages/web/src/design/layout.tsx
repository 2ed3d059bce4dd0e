import { type ReactNode, useEffect, useId } from "react";
import { useWebConfig } from "../config/web-config.ts";
import "./layout.css";

export function Page({
  title,
  lead,
  width = "wide",
  head,
  children,
}: {
  readonly title: string;
  readonly lead?: string;
  readonly width?: "wide" | "narrow";
  /** In place of the plain title. It should have an h1. */
  readonly head?: ReactNode;
  readonly children: ReactNode;
}) {
  const { nameService } = useWebConfig().names;
  useEffect(() => {
    document.title = `${title} · ${nameService}`;
  }, [title, nameService]);
  return (
    <div className="page" data-width={width}>
      <header className="page-head">
        {head ?? <h1>{title}</h1>}
        {lead === undefined ? null : <p className="page-lead">{lead}</p>}
      </header>
      {children}
    </div>
  );
}

export function Panel({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** Pairs of a term and its value. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className="facts">{children}</dl>;
}

export function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A row of large numbers. */
export function Figures({ children }: { readonly children: ReactNode }) {
  return <dl className="figures">{children}</dl>;
}

export function Figure({
  term,
  value,
  note,
  id,
}: {
  readonly term: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
  readonly id?: string;
}) {
  return (
    <div className="figure">
      <dt>{term}</dt>
      <dd {...(id === undefined ? {} : { id })}>{value}</dd>
      {note === undefined ? null : <dd>{note}</dd>}
    </div>
  );
}
