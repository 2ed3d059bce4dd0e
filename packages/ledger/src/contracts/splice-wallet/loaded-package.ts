import type { LoadedPackage } from "../../engine/catalogue.ts";
import { walletPackage } from "../packages.ts";
import { walletAppInstall } from "./wallet-app-install.ts";

export const wallet: LoadedPackage = {
  package: walletPackage,
  templates: [walletAppInstall],
  interfaces: [],
};
