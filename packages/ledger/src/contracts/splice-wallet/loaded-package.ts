import type { LoadedPackage } from "../../engine/catalogue.ts";
import { walletPackage } from "../packages.ts";
import { acceptedTransferOffer } from "./accepted-transfer-offer.ts";
import { buyTrafficRequest } from "./buy-traffic-request.ts";
import { mintingDelegation } from "./minting-delegation.ts";
import { mintingDelegationProposal } from "./minting-delegation-proposal.ts";
import { transferOffer } from "./transfer-offer.ts";
import { transferPreapprovalProposal } from "./transfer-preapproval-proposal.ts";
import { validatorTopUpState } from "./validator-top-up-state.ts";
import { walletAppInstall } from "./wallet-app-install.ts";

export const wallet: LoadedPackage = {
  package: walletPackage,
  templates: [
    walletAppInstall,
    transferOffer,
    acceptedTransferOffer,
    buyTrafficRequest,
    validatorTopUpState,
    transferPreapprovalProposal,
    mintingDelegationProposal,
    mintingDelegation,
  ],
  interfaces: [],
};
