import type { WebConfig } from "@callsign/api";
import { isOffered } from "../config/offered.ts";
import { developerSection } from "../developer/routes.tsx";
import { namesSection } from "../names/routes.tsx";
import { networkSection } from "../network/routes.tsx";
import { operatorSection } from "../operator/routes.tsx";
import { myNamesSection, registerSection } from "../register/routes.tsx";
import type { WebSection } from "../routing/web-section.ts";
import { walletSection } from "../wallet/routes.tsx";

/** In the order of the navigation. */
export const sections: readonly WebSection[] = [
  namesSection,
  registerSection,
  myNamesSection,
  walletSection,
  networkSection,
  operatorSection,
  developerSection,
];

/** The address that `/` leads to. */
export function homeOf(config: WebConfig): string {
  const wanted = sections.find(({ id }) => id === config.home);
  if (wanted?.path != null && isOffered(wanted.needs, config)) return wanted.path;
  return sections.find(({ path, needs }) => path !== null && isOffered(needs, config))?.path ?? "/names";
}
