/** The pages of the application, for tests that look at each of them. */
import type { NodeName } from "../../../packages/localnet/src/ports.ts";
import type { HostName } from "./web-site.ts";

export interface PageAddress {
  readonly path: string;
  readonly host?: HostName;
  readonly node?: NodeName;
  /** True if it asks a service before anybody types. */
  readonly readsOnOpening?: boolean;
}

export const PUBLIC_PAGES: readonly PageAddress[] = [
  { path: "/names", readsOnOpening: true },
  { path: "/names/alice.unverified.cns", readsOnOpening: true },
  { path: "/names/dave.unverified.cns" },
  { path: "/network", host: "scan", readsOnOpening: true },
  { path: "/developer" },
  { path: "/developer/users" },
  { path: "/developer/ledger" },
  { path: "/developer/api" },
  { path: "/wallet", host: "wallet" },
  { path: "/no-such-page" },
];

/** Pages that show what belongs to the user who has logged in. */
export const USER_PAGES: readonly PageAddress[] = [
  "/wallet",
  "/wallet/send",
  "/wallet/offers",
  "/wallet/history",
  "/wallet/subscriptions",
  "/wallet/traffic",
  "/wallet/allocations",
  "/wallet/delegations",
  "/wallet/development-fund",
  "/wallet/help",
  "/register/dave",
  "/my-names",
  "/operator",
].map((path) => ({ path, host: "wallet" }));

export const PHONE = { width: 390, height: 844 };
export const WIDE = { width: 1400, height: 900 };
