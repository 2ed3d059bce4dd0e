/**
 * The packages of this ledger. Names and versions are those of Splice 0.6.3, and so are the ids, because
 * clients pin them; a package of our own has an id that hashes its name and version. An id never changes its
 * meaning: other behaviour gets another version and another id, activated by a protocol version.
 */
import type { DamlPackage } from "../engine/declaration.ts";

export const tokenMetadataPackage: DamlPackage = {
  name: "splice-api-token-metadata-v1",
  version: "1.0.0",
  id: "4ded6b668cb3b64f7a88a30874cd41c75829f5e064b3fbbadf41ec7e8363354f",
};

export const tokenHoldingPackage: DamlPackage = {
  name: "splice-api-token-holding-v1",
  version: "1.0.0",
  id: "718a0f77e505a8de22f188bd4c87fe74101274e9d4cb1bfac7d09aec7158d35b",
};

export const tokenTransferInstructionPackage: DamlPackage = {
  name: "splice-api-token-transfer-instruction-v1",
  version: "1.0.0",
  id: "55ba4deb0ad4662c4168b39859738a0e91388d252286480c7331b3f71a517281",
};

export const tokenAllocationPackage: DamlPackage = {
  name: "splice-api-token-allocation-v1",
  version: "1.0.0",
  id: "93c942ae2b4c2ba674fb152fe38473c507bda4e82b4e4c5da55a552a9d8cce1d",
};

export const tokenAllocationInstructionPackage: DamlPackage = {
  name: "splice-api-token-allocation-instruction-v1",
  version: "1.0.0",
  id: "275064aacfe99cea72ee0c80563936129563776f67415ef9f13e4297eecbc520",
};

export const tokenAllocationRequestPackage: DamlPackage = {
  name: "splice-api-token-allocation-request-v1",
  version: "1.0.0",
  id: "6fe848530b2404017c4a12874c956ad7d5c8a419ee9b040f96b5c13172d2e193",
};

export const featuredAppV1Package: DamlPackage = {
  name: "splice-api-featured-app-v1",
  version: "1.0.0",
  id: "7804375fe5e4c6d5afe067bd314c42fe0b7d005a1300019c73154dd939da4dda",
};

export const featuredAppV2Package: DamlPackage = {
  name: "splice-api-featured-app-v2",
  version: "1.0.0",
  id: "dd22e3e168a8c7fd0313171922dabf1f7a3b131bd9bfc9ff98e606f8c57707ea",
};

export const amuletPackage: DamlPackage = {
  name: "splice-amulet",
  version: "0.1.18",
  id: "a31be0483f3175647053f28965a4e6d97e3dbc433ea2338be303fae69bbcff6a",
};

export const walletPaymentsPackage: DamlPackage = {
  name: "splice-wallet-payments",
  version: "0.1.18",
  id: "06afd4996294b3763b10fc7ed3b2b216dc3ff2196264cf7d62d0572dd3b737b8",
};

export const walletPackage: DamlPackage = {
  name: "splice-wallet",
  version: "0.1.19",
  id: "1d8317b1e476c03ea2a85bed8435e5c182abe501db58350009187fa839ab2cca",
};

export const validatorLifecyclePackage: DamlPackage = {
  name: "splice-validator-lifecycle",
  version: "0.1.7",
  id: "9018d59e7759bfe37f242241b332930d32a57dc3e029525a441dde3d1e7720b0",
};

export const nameServicePackage: DamlPackage = {
  name: "splice-amulet-name-service",
  version: "0.1.19",
  id: "7b784f7f03d3e035ea5d828ab64a476e7e0cbfffaec393619598f13e54d18013",
};

export const dsoGovernancePackage: DamlPackage = {
  name: "splice-dso-governance",
  version: "0.1.24",
  id: "4974c654485d4ecaa6b5caf8ef3c2679efa8195c4b50d4965a8fff1b72e8efa4",
};

/** SHA-256 of `callsign-names 0.1.0`. */
export const callsignNamesPackage: DamlPackage = {
  name: "callsign-names",
  version: "0.1.0",
  id: "dcb86a83d66e16965014d6f4b5573d67219dea9c3bd9b00d560c253b550cb0c0",
};

/** SHA-256 of `callsign-names 0.2.0`. Protocol version 3 activates it. */
export const callsignNamesV2Package: DamlPackage = {
  name: "callsign-names",
  version: "0.2.0",
  id: "f50ac1b4f8aee39ca23bd0638e0bb96c65d0d74579407a6132ba2f8d6dda9cda",
};

/** SHA-256 of `callsign-names 0.3.0`. Protocol version 5 activates it. */
export const callsignNamesV3Package: DamlPackage = {
  name: "callsign-names",
  version: "0.3.0",
  id: "4e49fd34b5e02231282614085c4a811f9df4261db61c0ed4f827f17bcebd75ec",
};
