import type { LoadedPackage } from "../../engine/catalogue.ts";
import { callsignNamesPackage, callsignNamesV2Package } from "../packages.ts";
import { nameCare } from "./name-care.ts";
import { nameCareV2 } from "./name-care-v2.ts";
import { renewalPreference } from "./renewal-preference.ts";
import { requestWithdrawal } from "./request-withdrawal.ts";
import { takeUpRequest } from "./take-up-request.ts";

export const callsignNames: LoadedPackage = {
  package: callsignNamesPackage,
  templates: [nameCare, renewalPreference, requestWithdrawal],
  interfaces: [],
};

/** Version 0.2.0: the templates that it adds or changes. */
export const callsignNamesV2: LoadedPackage = {
  package: callsignNamesV2Package,
  templates: [nameCareV2, takeUpRequest],
  interfaces: [],
  since: 3n,
};
