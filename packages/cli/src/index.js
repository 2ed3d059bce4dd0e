/**
 * The public interface of the package `callsign`: a whole network for the tests of an application.
 *
 * Everything else is loaded at the first call. Loading this file is therefore enough to learn that Node cannot run it,
 * costs nothing, and works by `require` as well.
 */
import { describeWrongNode } from "./node-version.js";

const problem = describeWrongNode(process.versions.node);
if (problem !== null) throw new Error(problem);

/** @typedef {import("@callsign/localnet").Localnet} Localnet */
/** @typedef {import("@callsign/localnet").LocalnetNode} LocalnetNode */
/** @typedef {import("@callsign/localnet").LocalnetOptions} LocalnetOptions */
/** @typedef {import("@callsign/api").NetworkSnapshot} NetworkSnapshot */
/** @typedef {import("@callsign/localnet").NodeName} NodeName */
/** @typedef {import("@callsign/localnet").Ports} Ports */

/**
 * Starts a network: four SVs, three participants with their validators, and a clock that can be moved. Without options
 * it listens on free ports, and its data lies in a temporary folder until `close`.
 * @param {LocalnetOptions} [options]
 * @returns {Promise<Localnet>}
 */
async function startLocalnet(options) {
  const localnet = await import("@callsign/localnet");
  return localnet.startLocalnet(options);
}

/**
 * A token of any user, signed with the secret that every local network accepts.
 * @param {string} user
 * @returns {Promise<string>}
 */
async function makeToken(user) {
  const localnet = await import("@callsign/localnet");
  return localnet.makeToken(user);
}

export { makeToken, startLocalnet };
