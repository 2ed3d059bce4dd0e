import type { LoadedPackage } from "../../engine/catalogue.ts";
import { callsignNamesPackage } from "../packages.ts";

export const callsignNames: LoadedPackage = { package: callsignNamesPackage, templates: [], interfaces: [] };
