/**
 * The oldest Node that runs this program. Plain JavaScript without imports: older ones must be able to load it, and to
 * read the sentence instead of an error about syntax or a missing module.
 */
const OLDEST = 24;

/**
 * A sentence about a Node that is too old; null if it is not.
 * @param {string} version such as `24.1.0`
 * @returns {string | null}
 */
export function describeOldNode(version) {
  if (Number.parseInt(version, 10) >= OLDEST) return null;
  return (
    `callsign needs Node ${OLDEST} or newer, and this is Node ${version}. ` +
    `Install a newer one from https://nodejs.org, or with a version manager such as nvm: nvm install ${OLDEST}`
  );
}
