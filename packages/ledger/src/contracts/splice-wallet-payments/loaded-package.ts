import type { LoadedPackage } from "../../engine/catalogue.ts";
import { walletPaymentsPackage } from "../packages.ts";

export const walletPayments: LoadedPackage = {
  package: walletPaymentsPackage,
  templates: [],
  interfaces: [],
};
