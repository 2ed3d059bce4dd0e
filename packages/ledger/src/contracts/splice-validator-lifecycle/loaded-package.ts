import type { LoadedPackage } from "../../engine/catalogue.ts";
import { validatorLifecyclePackage } from "../packages.ts";
import { usedSecret } from "./used-secret.ts";
import { validatorOnboarding } from "./validator-onboarding.ts";

export const validatorLifecycle: LoadedPackage = {
  package: validatorLifecyclePackage,
  templates: [validatorOnboarding, usedSecret],
  interfaces: [],
};
