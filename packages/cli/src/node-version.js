/**
 * Which Node runs this program. Plain JavaScript without imports: older ones must be able to load it, and to read the
 * sentence instead of an error about syntax or a missing module.
 */

/**
 * As npm writes it. Those before them, and all of Node 25, read texts wrongly without an error: from SQLite only up to a character
 * U+0000, or from a compressed text without its end.
 */
const NODE_RANGE = "^24.20 || >=26.6";

/** The oldest of all, on which a test runs the network. */
const OLDEST_NODE = "24.20";

/**
 * A sentence about a Node that cannot run this; null if it can.
 * @param {string} version such as `24.18.0`
 * @returns {string | null}
 */
function describeWrongNode(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isIn24 = major === 24 && minor >= 20;
  const isIn26 = major === 26 && minor >= 6;
  if (isIn24 || isIn26 || major > 26) return null;
  return (
    `callsign needs Node 24 from 24.20 on, or 26.6 or newer, and this is Node ${version}. ` +
    "Install one from https://nodejs.org, or with a version manager such as nvm: nvm install 24"
  );
}

export { describeWrongNode, NODE_RANGE, OLDEST_NODE };
