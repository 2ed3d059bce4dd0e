/** A section of the application: its place in the navigation and its pages. Each folder's `routes.tsx` exports one. */
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import type { PageNeed } from "../config/offered.ts";
import type { Words } from "../words/words.ts";

export interface WebPage {
  /** As wouter reads it, such as `/names/:name`. */
  readonly path: string;
  readonly page: LazyExoticComponent<ComponentType>;
  /** The section's own, unless given. */
  readonly needs?: PageNeed;
  /** The section's own, unless given. */
  readonly isForUsers?: boolean;
}

export interface WebSection {
  readonly id: string;
  /** The address that the navigation leads to; null leaves the section out of it. */
  readonly path: string | null;
  readonly label: (words: Words) => string;
  readonly needs: PageNeed;
  /** True if the pages ask for a login first. */
  readonly isForUsers: boolean;
  readonly pages: readonly WebPage[];
  /** Addresses of other applications' pages, and where they lead here. Parameters and the query are kept. */
  readonly redirects?: Readonly<Record<string, string>>;
}

/** A page that is loaded when it is first shown. */
export function lazyPage<M, K extends keyof M>(
  load: () => Promise<M>,
  name: K & (M[K] extends ComponentType ? K : never),
): LazyExoticComponent<ComponentType> {
  return lazy(async () => ({ default: (await load())[name] as ComponentType }));
}
