/**
 * Every package of the network, in one catalogue. A new package is a line here, and so is a new version of one, behind the
 * earlier ones and with the protocol version that activates it.
 */
import { type Catalogue, createCatalogue } from "../engine/catalogue.ts";
import { callsignNames, callsignNamesV2, callsignNamesV3 } from "./callsign-names/loaded-package.ts";
import { amulet } from "./splice-amulet/loaded-package.ts";
import { nameService } from "./splice-amulet-name-service/loaded-package.ts";
import { featuredAppV1 } from "./splice-api-featured-app-v1/loaded-package.ts";
import { featuredAppV2 } from "./splice-api-featured-app-v2/loaded-package.ts";
import { tokenStandard } from "./splice-api-token-v1/loaded-package.ts";
import { dsoGovernance } from "./splice-dso-governance/loaded-package.ts";
import { validatorLifecycle } from "./splice-validator-lifecycle/loaded-package.ts";
import { wallet } from "./splice-wallet/loaded-package.ts";
import { walletPayments } from "./splice-wallet-payments/loaded-package.ts";

export const networkCatalogue: Catalogue = createCatalogue([
  ...tokenStandard,
  featuredAppV1,
  featuredAppV2,
  amulet,
  walletPayments,
  nameService,
  wallet,
  validatorLifecycle,
  dsoGovernance,
  callsignNames,
  callsignNamesV2,
  callsignNamesV3,
]);
