/** The web application on a role's own port. It is plain data: worker processes are given it. */
import type { WebConfig, WebHome, WebLogin } from "@callsign/api";

export interface WebPages extends Omit<WebConfig, "login"> {
  /** By the section that a page opens at; that of `home` where a section has none. */
  readonly logins: Readonly<Partial<Record<WebHome, WebLogin>>>;
}

/** As Splice's charts name the hosts of its UIs. */
const HOMES: Readonly<Record<string, WebHome>> = {
  wallet: "wallet",
  ans: "names",
  cns: "names",
  scan: "network",
  sv: "operator",
};

/** The section that a host name stands for by its first word, such as `wallet.example.com`. */
export function findHome(hostName: string): WebHome | undefined {
  const [word = "", ...others] = hostName.toLowerCase().split(".");
  return others.length === 0 ? undefined : HOMES[word];
}

export function describePages({ logins, ...pages }: WebPages, hostName: string): WebConfig {
  const home = findHome(hostName) ?? pages.home;
  return { ...pages, home, login: logins[home] ?? logins[pages.home] ?? null };
}
