/** The reason why a process does not start, for its operator. */
export class CannotStart extends Error {
  override readonly name = "CannotStart";
}
