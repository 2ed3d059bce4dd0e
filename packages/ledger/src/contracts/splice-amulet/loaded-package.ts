import type { LoadedPackage } from "../../engine/catalogue.ts";
import { amuletPackage } from "../packages.ts";
import { amulet as coin } from "./amulet.ts";
import { amuletRules } from "./amulet-rules.ts";
import { externalPartyAmuletRules } from "./external-party-amulet-rules.ts";
import { externalPartyConfigState } from "./external-party-config-state.ts";
import { featuredAppActivityMarker } from "./featured-app-activity-marker.ts";
import { featuredAppRight } from "./featured-app-right.ts";
import { lockedAmulet } from "./locked-amulet.ts";
import { memberTraffic } from "./member-traffic.ts";
import {
  closedMiningRound,
  issuingMiningRound,
  openMiningRound,
  summarizingMiningRound,
} from "./mining-rounds.ts";
import { validatorRight } from "./validator-right.ts";

export const amulet: LoadedPackage = {
  package: amuletPackage,
  templates: [
    coin,
    lockedAmulet,
    validatorRight,
    featuredAppRight,
    featuredAppActivityMarker,
    amuletRules,
    openMiningRound,
    summarizingMiningRound,
    issuingMiningRound,
    closedMiningRound,
    externalPartyAmuletRules,
    externalPartyConfigState,
    memberTraffic,
  ],
  interfaces: [],
};
