/**
 * The rights of a user as a call asks about them. A call names few parties, and a validator's user has a right for each of
 * its wallets: few rights are read at once, and of many those that the call names.
 */
import type { Sql } from "@callsign/node";
import { FEW_RIGHTS } from "../limits/limits.ts";
import { listRights, listRightsFor, type RightKind, rightKinds, type UserRight } from "./right-rows.ts";

export interface HeldRights {
  /** For a right without a party. */
  readonly has: (kind: RightKind) => boolean;
  /** True if the user has one of these rights for each of the parties. */
  readonly cover: (kinds: readonly RightKind[], parties: readonly string[]) => Promise<boolean>;
  /** All rights as one text, which differs as soon as a right changes. */
  readonly format: () => Promise<string>;
}

/** `first`: the first of the user's rights, one more than few if there are so many. */
export async function holdRights(sql: Sql, userId: string, first: readonly UserRight[]): Promise<HeldRights> {
  if (first.length <= FEW_RIGHTS) {
    return holding(first, { find: async () => first, all: async () => first });
  }
  const withoutParty = await listRightsFor(sql, userId, { kinds: rightKinds, parties: [""] });
  return holding(withoutParty, {
    find: (kinds, parties) => listRightsFor(sql, userId, { kinds, parties }),
    all: () => listRights(sql, userId),
  });
}

interface RightReads {
  /** At least the user's rights of these kinds for these parties. */
  readonly find: (kinds: readonly RightKind[], parties: readonly string[]) => Promise<readonly UserRight[]>;
  readonly all: () => Promise<readonly UserRight[]>;
}

function holding(known: readonly UserRight[], { find, all }: RightReads): HeldRights {
  return {
    has: (kind) => known.some((right) => right.kind === kind),
    cover: async (kinds, parties) => {
      if (parties.length === 0) return true;
      const rights = (await find(kinds, parties)).filter(({ kind }) => kinds.includes(kind));
      const covered = new Set(rights.map(({ party }) => party));
      return parties.every((party) => covered.has(party));
    },
    format: async () => (await all()).map(({ kind, party }) => `${kind} ${party}`).join("\n"),
  };
}
