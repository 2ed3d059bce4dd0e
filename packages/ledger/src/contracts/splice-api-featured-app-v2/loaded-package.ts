import type { LoadedPackage } from "../../engine/catalogue.ts";
import { featuredAppV2Package } from "../packages.ts";
import { FeaturedAppActivityMarkerV2, FeaturedAppRightV2 } from "./featured-app-right.ts";

export const featuredAppV2: LoadedPackage = {
  package: featuredAppV2Package,
  templates: [],
  interfaces: [FeaturedAppRightV2, FeaturedAppActivityMarkerV2],
};
