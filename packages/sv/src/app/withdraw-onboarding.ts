/** Takes back an onboarding secret that nobody has used, as when it was sent to the wrong reader. */
import { type Command, type ContractId, ValidatorOnboarding } from "@callsign/ledger";
import { MAX_ONGOING_SHOWN } from "../limits/limits.ts";
import { type SvApp, submitAsSv } from "./sv-app.ts";
import { SvAppError } from "./sv-app-error.ts";

/** A secret that stands on the ledger several times goes whole. */
export async function withdrawOnboarding(app: SvApp, contractId: string): Promise<undefined> {
  await app.catchUp();
  const open = app.onboardings.listOpen(MAX_ONGOING_SHOWN);
  const secretHash = open.find((row) => row.contractId === contractId)?.secretHash;
  if (secretHash === undefined) throw notOpen(contractId);
  const same = open.filter((row) => row.secretHash === secretHash);
  const error = await submitAsSv(
    app,
    same.map((row) => archive(row.contractId)),
  );
  if (error === null) return undefined;
  // A validator that used it at the same time was faster.
  if (error.code === "LOCAL_VERDICT_INACTIVE_CONTRACTS" || error.code === "CONTRACT_NOT_FOUND")
    throw notOpen(contractId);
  throw new SvAppError("try again", `The secret was not withdrawn: the ledger answers ${error.code}`);
}

function archive(contractId: ContractId): Command {
  const { id: templateId } = ValidatorOnboarding;
  return { tag: "Exercise", value: { templateId, contractId, choice: "Archive", argument: [] } };
}

function notOpen(contractId: string): SvAppError {
  return new SvAppError(
    "not found",
    `No unused onboarding secret of this SV has the contract id ${contractId.slice(0, 300)}: it was used, has expired or ` +
      "was withdrawn before",
  );
}
