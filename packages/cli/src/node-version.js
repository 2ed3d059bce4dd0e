/**
 * The oldest Node that runs this program. Plain JavaScript without imports: older ones must be able to load it, and to
 * read the sentence instead of an error about syntax or a missing module.
 */

/** Those before it do not bind the numbered parameters of SQLite's statements. */
const OLDEST_NODE = "24.7";

/**
 * A sentence about a Node that is too old; null if it is not.
 * @param {string} version such as `24.11.0`
 * @returns {string | null}
 */
function describeOldNode(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return null;
  return (
    `callsign needs Node ${OLDEST_NODE} or newer, and this is Node ${version}. ` +
    `Install a newer one from https://nodejs.org, or with a version manager such as nvm: nvm install ${oldestMajor}`
  );
}

export { describeOldNode, OLDEST_NODE };
