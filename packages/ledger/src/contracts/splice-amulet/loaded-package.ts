import type { LoadedPackage } from "../../engine/catalogue.ts";
import { amuletPackage } from "../packages.ts";

export const amulet: LoadedPackage = { package: amuletPackage, templates: [], interfaces: [] };
