/** Interactive submission is not offered; the lookup of preferred packages is. */
import type { PackageReference } from "@callsign/api";
import { type Catalogue, parseTime } from "@callsign/ledger";
import { MAX_PREFERRED_PACKAGES } from "../limits/limits.ts";
import { failWith, invalidArgument, invalidField, missingField, needParty } from "../requests/identifiers.ts";
import { notOffered } from "../requests/not-offered.ts";
import { isSynchronizer } from "../requests/synchronizer-name.ts";
import type { LedgerApiParts, LedgerHandlers } from "./route-parts.ts";

const PACKAGE_NAME = /^[A-Za-z0-9_-]{1,255}$/;

export function interactiveRoutes(parts: Pick<LedgerApiParts, "activePackages" | "synchronizerId">) {
  const { activePackages, synchronizerId } = parts;
  const refuse = (): never => {
    throw notOffered(
      "interactive submission, in which transactions are prepared here and signed elsewhere",
      "submit with POST /v2/commands/submit-and-wait for a party that this participant hosts",
    );
  };
  /** Every participant has vetted every package, so that the parties make no difference. */
  const find = (catalogue: Catalogue, name: string, parties: readonly string[]) => {
    if (name === "") throw missingField("package_name");
    if (!PACKAGE_NAME.test(name)) {
      throw invalidField(
        "package_name",
        `"${name.slice(0, 100)}" has other characters than letters, digits, - and _`,
      );
    }
    parties.forEach(needParty);
    return findLatest(catalogue, name);
  };
  return {
    prepareSubmission: refuse,
    executeSubmission: refuse,
    executeSubmissionAndWait: refuse,
    executeSubmissionAndWaitForTransaction: refuse,
    getPreferredPackageVersion: async ({ query }) => {
      checkTime(query.vetting_valid_at);
      const found = find(await activePackages(), query["package-name"], query.parties);
      const isHere = isSynchronizer(query["synchronizer-id"], synchronizerId());
      if (found === undefined || !isHere) return { packagePreference: null };
      return { packagePreference: { packageReference: found, synchronizerId: synchronizerId() } };
    },
    getPreferredPackages: async ({ body }) => {
      const { packageVettingRequirements: requirements, vettingValidAt } = body;
      if (requirements.length === 0) throw missingField("package_vetting_requirements");
      if (requirements.length > MAX_PREFERRED_PACKAGES) {
        throw invalidArgument(
          `${requirements.length} packages are asked for, and at most ${MAX_PREFERRED_PACKAGES} can be`,
        );
      }
      checkTime(vettingValidAt);
      const catalogue = await activePackages();
      const packageReferences = requirements.map(({ packageName, parties }) => {
        if (parties.length === 0) throw missingField("parties");
        return find(catalogue, packageName, parties) ?? noneFor(`no package is called ${packageName}`);
      });
      if (!isSynchronizer(body.synchronizerId, synchronizerId())) {
        noneFor(`this participant is not connected to ${body.synchronizerId.slice(0, 300)}`);
      }
      return { packageReferences, synchronizerId: synchronizerId() };
    },
  } satisfies Partial<LedgerHandlers>;
}

function findLatest({ packages }: Catalogue, name: string): PackageReference | undefined {
  const found = packages.findLast((loaded) => loaded.package.name === name)?.package;
  if (found === undefined) return undefined;
  return { packageId: found.id, packageName: found.name, packageVersion: found.version };
}

function checkTime(given: string | null): void {
  const time = given === null || given === "" ? null : parseTime(given);
  if (time?.ok === false) throw invalidField("vetting_valid_at", time.error);
}

function noneFor(reason: string): never {
  return failWith("NO_PREFERRED_PACKAGES_FOUND", `No preferred packages were found: ${reason}`);
}
