/** The operator's party and users, and the names that applications show for the network. */
import type { InstanceNames } from "@callsign/api";
import { findPartyHintProblem } from "@callsign/validator";
import type { KeyReader } from "./key-reader.ts";
import { layerOfKeys } from "./layers.ts";

interface Operator {
  readonly nodeIdentifier: string;
  readonly operatorPartyHint: string;
  readonly walletUsers: readonly string[];
}

export function readOperator(reader: KeyReader): Operator | undefined {
  const hint = readHint(reader);
  const node = reader.text("nodeIdentifier") ?? fallbackIdentifier(reader);
  if (node === undefined) {
    reader.require(
      "nodeIdentifier",
      "Give the identifier of the validator's participant, usually the party hint",
    );
  }
  const walletUsers = readWalletUsers(reader);
  if (hint === undefined || node === undefined || walletUsers === undefined) return undefined;
  return { nodeIdentifier: node, operatorPartyHint: hint, walletUsers };
}

/** Compose files take the party hint, if there is no other. */
function fallbackIdentifier(reader: KeyReader): string | undefined {
  return reader.origin("validatorPartyHint")?.kind === "variable"
    ? reader.text("validatorPartyHint")
    : undefined;
}

function readHint(reader: KeyReader): string | undefined {
  const path = "validatorPartyHint";
  const hint = reader.text(path);
  if (reader.flag("svValidator") === true) {
    if (hint === undefined) return reader.text("nodeIdentifier") ?? "sv";
    return reader.refuse(
      path,
      "cannot be given with svValidator: true",
      "Remove it: the SV's own party is used",
    );
  }
  if (hint === undefined) {
    return reader.require(
      path,
      "Give a hint of the form organization-function-enumerator, such as acme-names-1",
    );
  }
  // An existing party may have any hint; only a new one must have this form.
  const fault = findPartyHintProblem(hint);
  if (fault !== undefined)
    reader.warnings.push(`${path}: ${fault.problem}: it is of use only if the party exists already`);
  return hint;
}

function readWalletUsers(reader: KeyReader): readonly string[] | undefined {
  const [one, many] = ["validatorWalletUser", "validatorWalletUsers"];
  const [single, several] = [layerOfKeys(reader, [one]), layerOfKeys(reader, [many])];
  if (single >= 0 && single === several) {
    return reader.refuse(one, `cannot be given beside ${many}`, `Put it into ${many}, and remove it`);
  }
  if (single < 0 && several < 0) {
    if (reader.has(one) || reader.has(many)) return undefined;
    return reader.require(many, "List the user ids of those who have the operator's wallet");
  }
  const users = single > several ? [reader.text(one) ?? ""] : (reader.texts(many) ?? []);
  if (new Set(users).size < users.length)
    return reader.refuse(many, "names a user twice", "Name each user once");
  return users;
}

export function checkDumpImport(reader: KeyReader): void {
  const path = "participantIdentitiesDumpImport.newParticipantIdentifier";
  const [identifier, node] = [reader.text(path), reader.text("nodeIdentifier")];
  if (identifier !== undefined && node !== undefined && identifier !== node) {
    reader.refuse(path, `is not the nodeIdentifier ${node}`, "Give both the same value");
  }
}

/** Undefined if none is given: then a scan's names are used. All are given together. */
export function readInstanceNames(reader: KeyReader, path: string): Required<InstanceNames> | undefined {
  if (reader.names(path).length === 0) return undefined;
  const read = (name: keyof InstanceNames) =>
    reader.text(`${path}.${name}`) ??
    reader.require(`${path}.${name}`, `Give all six names of ${path}, or none`) ??
    "";
  const names = {
    networkName: read("networkName"),
    networkFaviconUrl: read("networkFaviconUrl"),
    amuletName: read("amuletName"),
    amuletNameAcronym: read("amuletNameAcronym"),
    nameServiceName: read("nameServiceName"),
    nameServiceNameAcronym: read("nameServiceNameAcronym"),
  };
  return Object.values(names).includes("") ? undefined : names;
}
