/** Names, parties, times and links, shown alike on every page. */
import { useEffect, useState } from "react";
import { Button } from "react-aria-components/Button";
import { Link } from "wouter";
import { startTimer } from "../browser/page-host.ts";
import { findSafeLink } from "../browser/safe-link.ts";
import { useNetworkClock } from "../calls/network-clock.ts";
import { showDistance, showTime } from "../words/format.ts";
import { useLanguage, useWords } from "../words/words.ts";
import { CheckIcon, CopyIcon, LinkIcon } from "./icons.tsx";
import "./texts.css";

const COPIED_MILLISECONDS = 2000;

export function CopyButton({
  text,
  label,
  what = "text",
}: {
  readonly text: string;
  readonly label: string;
  readonly what?: "text" | "link";
}) {
  const { shell } = useWords();
  const [outcome, setOutcome] = useState<"copied" | "failed" | null>(null);
  useEffect(() => {
    if (outcome === null) return undefined;
    return startTimer(COPIED_MILLISECONDS, () => setOutcome(null));
  }, [outcome]);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setOutcome("copied"),
      () => setOutcome("failed"),
    );
  };
  const said = outcome === null ? "" : outcome === "copied" ? shell.copied : shell.copyFailed;
  return (
    <>
      <Button
        className="copy"
        aria-label={label}
        onPress={copy}
        data-copied={outcome === "copied" || undefined}
      >
        {outcome === "copied" ? <CheckIcon /> : what === "link" ? <LinkIcon /> : <CopyIcon />}
      </Button>
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </>
  );
}

/** Text that somebody else wrote: its longest words break. */
export function WrittenText({ text, isSoft = false }: { readonly text: string; readonly isSoft?: boolean }) {
  return <span className={isSoft ? "written soft" : "written"}>{text}</span>;
}

/** The chosen part stands out from the suffix that all names share. */
export function NameText({ name }: { readonly name: string }) {
  const dot = name.indexOf(".");
  if (dot < 0) return <span className="name">{name}</span>;
  return (
    <span className="name">
      {name.slice(0, dot)}
      <span className="name-suffix">{name.slice(dot)}</span>
    </span>
  );
}

export function NameLink({ name }: { readonly name: string }) {
  return (
    <Link href={`/names/${encodeURIComponent(name)}`}>
      <NameText name={name} />
    </Link>
  );
}

/** `hint::1220abcd…` with the middle of its fingerprint left out. */
export function shortenParty(party: string): string {
  const [hint = "", fingerprint = ""] = party.split("::");
  return fingerprint.length <= 16 ? party : `${hint}::${fingerprint.slice(0, 8)}…${fingerprint.slice(-4)}`;
}

export function PartyText({
  party,
  isWhole = false,
  isLink = true,
}: {
  readonly party: string;
  readonly isWhole?: boolean;
  readonly isLink?: boolean;
}) {
  const { shell } = useWords();
  const text = isWhole ? party : shortenParty(party);
  return (
    <span className="party" data-whole={isWhole || undefined}>
      <span className="mono" title={party}>
        {isLink ? <Link href={`/parties/${encodeURIComponent(party)}`}>{text}</Link> : text}
      </span>
      <CopyButton text={party} label={shell.copyParty} />
    </span>
  );
}

export function TimeText({
  time,
  shows = "both",
}: {
  readonly time: string;
  readonly shows?: "both" | "time" | "distance";
}) {
  const language = useLanguage();
  const full = showTime(time, language);
  const distance = showDistance(time, useNetworkClock(), language);
  return (
    <time dateTime={time} title={full}>
      {shows === "distance" ? distance : full}
      {shows === "both" ? <span className="soft"> · {distance}</span> : null}
    </time>
  );
}

/** An address that somebody else wrote: a link for http and https alone, and text otherwise. */
export function OthersLink({ url }: { readonly url: string }) {
  const href = findSafeLink(url);
  if (href === null) return <span>{url}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {url}
    </a>
  );
}
