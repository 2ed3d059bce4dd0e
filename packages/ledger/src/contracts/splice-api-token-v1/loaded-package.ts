import type { LoadedPackage } from "../../engine/catalogue.ts";
import { tokenHoldingPackage, tokenMetadataPackage } from "../packages.ts";
import { Holding } from "./holding.ts";

export const tokenHolding: LoadedPackage = {
  package: tokenHoldingPackage,
  templates: [],
  interfaces: [Holding],
};
export const tokenMetadata: LoadedPackage = { package: tokenMetadataPackage, templates: [], interfaces: [] };
