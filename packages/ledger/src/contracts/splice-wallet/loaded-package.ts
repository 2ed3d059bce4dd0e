import type { LoadedPackage } from "../../engine/catalogue.ts";
import { walletPackage } from "../packages.ts";

export const wallet: LoadedPackage = { package: walletPackage, templates: [], interfaces: [] };
