import type { LoadedPackage } from "../../engine/catalogue.ts";
import { nameServicePackage } from "../packages.ts";
import { amuletConversionRateFeed } from "./amulet-conversion-rate-feed.ts";
import { ansEntry } from "./ans-entry.ts";
import { ansEntryContext } from "./ans-entry-context.ts";
import { ansRules } from "./ans-rules.ts";

export const nameService: LoadedPackage = {
  package: nameServicePackage,
  templates: [ansRules, ansEntryContext, ansEntry, amuletConversionRateFeed],
  interfaces: [],
};
