import type { LoadedPackage } from "../../engine/catalogue.ts";
import { featuredAppV1Package } from "../packages.ts";
import { FeaturedAppActivityMarkerV1, FeaturedAppRightV1 } from "./featured-app-right.ts";

export const featuredAppV1: LoadedPackage = {
  package: featuredAppV1Package,
  templates: [],
  interfaces: [FeaturedAppRightV1, FeaturedAppActivityMarkerV1],
};
