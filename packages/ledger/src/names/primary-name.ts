/**
 * The entry that a party is called by, as a `PrimaryName` of the party says (decision 0073). A renewal or a take-up replaces an
 * entry before it expires; a name that is bought again gets its entry afterwards. So a PrimaryName counts for entries that were
 * made before the expiry which it names, and an old one does not come back with the name.
 */

interface PrimaryTerms {
  readonly dso: string;
  readonly user: string;
  readonly name: string;
  readonly expiresAt: bigint;
}

/** A contract of an entry, with the record time at which it was made. */
interface MadeEntry {
  readonly payload: { readonly dso: string; readonly user: string; readonly name: string };
  readonly createdAt: bigint;
}

/** Says nothing about the entry's own expiry. */
export function isPrimaryEntry(primary: PrimaryTerms, { payload, createdAt }: MadeEntry): boolean {
  return (
    payload.dso === primary.dso &&
    payload.user === primary.user &&
    payload.name === primary.name &&
    createdAt < primary.expiresAt
  );
}

interface MadeContract {
  readonly contractId: string;
  readonly createdAt: bigint;
}

/** Of several of one party the latest counts, even if its name has lapsed; of one transaction, the one with the higher id. */
export function findLatestPrimary<C extends MadeContract>(primaries: readonly C[]): C | undefined {
  return primaries.reduce<C | undefined>(
    (latest, each) => (latest === undefined || isLater(each, latest) ? each : latest),
    undefined,
  );
}

function isLater(a: MadeContract, b: MadeContract): boolean {
  return a.createdAt > b.createdAt || (a.createdAt === b.createdAt && a.contractId > b.contractId);
}
