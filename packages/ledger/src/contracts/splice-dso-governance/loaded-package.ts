import type { LoadedPackage } from "../../engine/catalogue.ts";
import { dsoGovernancePackage } from "../packages.ts";

export const dsoGovernance: LoadedPackage = { package: dsoGovernancePackage, templates: [], interfaces: [] };
