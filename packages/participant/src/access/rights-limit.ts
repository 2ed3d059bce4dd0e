/** The limit of a user's rights. */
import { MAX_RIGHTS_PER_USER } from "../limits/limits.ts";
import { failWith } from "../requests/identifiers.ts";
import { TooManyRights } from "../store/right-rows.ts";

export function refuseTooManyRights(id: string): never {
  const cause = `A maximum of ${MAX_RIGHTS_PER_USER} rights are allowed for user ${id}: revoke some first`;
  return failWith("TOO_MANY_USER_RIGHTS", cause, { resources: [["USER", id]] });
}

/** The change's outcome, or the error if it would give the user too many rights. */
export async function withinRightsLimit<T>(id: string, change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (!(error instanceof TooManyRights)) throw error;
    return refuseTooManyRights(id);
  }
}
