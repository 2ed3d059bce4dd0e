import type { LoadedPackage } from "../../engine/catalogue.ts";
import { callsignNamesPackage } from "../packages.ts";
import { nameCare } from "./name-care.ts";
import { renewalPreference } from "./renewal-preference.ts";
import { requestWithdrawal } from "./request-withdrawal.ts";

export const callsignNames: LoadedPackage = {
  package: callsignNamesPackage,
  templates: [nameCare, renewalPreference, requestWithdrawal],
  interfaces: [],
};
