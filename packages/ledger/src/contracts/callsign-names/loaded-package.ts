import type { LoadedPackage } from "../../engine/catalogue.ts";
import { callsignNamesPackage, callsignNamesV2Package, callsignNamesV3Package } from "../packages.ts";
import { nameCare } from "./name-care.ts";
import { nameCareV2 } from "./name-care-v2.ts";
import { primaryName } from "./primary-name.ts";
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

/** Version 0.3.0: the template that it adds. */
export const callsignNamesV3: LoadedPackage = {
  package: callsignNamesV3Package,
  templates: [primaryName],
  interfaces: [],
  since: 5n,
};
