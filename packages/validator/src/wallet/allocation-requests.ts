/**
 * Requests of applications for allocations. Their templates are the applications' own and implement an interface: so they
 * are read from the participant, by that interface, and not from the copy of the ledger.
 */
import type { CreatedEvent, WireContract } from "@callsign/api";
import {
  AllocationRequest,
  type ContractId,
  formatInstant,
  ledgerJson,
  type PartyId,
  parseContractId,
  parseTime,
  scanJson,
  type ViewOf,
} from "@callsign/ledger";
import { ValidatorError } from "../errors/validator-error.ts";
import { exercise } from "../ledger/commands.ts";
import { viewFormatOf } from "../ledger/event-formats.ts";
import { getExerciseResult } from "../ledger/exercise-result.ts";
import { listActiveEntries } from "../ledger/list-active.ts";
import { toValidatorError } from "../ledger/participant-errors.ts";
import { MAX_ROWS } from "../limits/limits.ts";
import { actOnceOn, type OnceAction } from "./act-once.ts";
import { formatMeta, NO_EXTRA_ARGS, type TokenParts } from "./token-transfers.ts";
import type { Wallet } from "./wallet.ts";

type RequestView = ViewOf<typeof AllocationRequest>;

interface FoundRequest {
  readonly contractId: ContractId;
  readonly contract: WireContract;
}

export async function listAllocationRequests(parts: TokenParts, { party }: Wallet): Promise<WireContract[]> {
  return (await findRequests(parts, party)).map(({ contract }) => contract);
}

export async function rejectAllocationRequest(
  parts: TokenParts,
  wallet: Wallet,
  contractId: string,
): Promise<Record<string, string>> {
  const { party } = wallet;
  const choice = "AllocationRequest_Reject";
  const argument = { actor: party, extraArgs: NO_EXTRA_ARGS };
  const action: OnceAction<FoundRequest> = {
    ...{ operation: "rejectAllocationRequest", what: "allocation request", contractId, submitter: "both" },
    makeBatch: ({ contractId: cid }) => ({
      commands: [exercise(AllocationRequest, cid, choice, argument)],
    }),
    answerOf: async ({ offset }) => {
      const sought = { template: AllocationRequest, choice } as const;
      const { meta } = await getExerciseResult(parts.participant, { offset, party }, sought);
      return JSON.stringify(formatMeta(meta));
    },
  };
  const answer = await actOnceOn(parts, wallet, action, () => getRequest(parts, party, contractId));
  return JSON.parse(answer);
}

async function getRequest(parts: TokenParts, party: PartyId, contractId: string): Promise<FoundRequest> {
  const found = (await findRequests(parts, party)).find((each) => each.contractId === contractId);
  if (found !== undefined) return found;
  throw new ValidatorError({ kind: "allocation-request-not-found", contractId });
}

/** Requests for the coin that have the party in one of their legs. */
async function findRequests(
  { participant, facts }: TokenParts,
  party: PartyId,
): Promise<readonly FoundRequest[]> {
  const dso = await facts.dso();
  const found: FoundRequest[] = [];
  try {
    const activeAtOffset = await participant.ledgerEnd();
    const eventFormat = viewFormatOf(party, AllocationRequest);
    for await (const page of listActiveEntries(participant, { eventFormat, activeAtOffset })) {
      for (const { createdEvent } of page) {
        const request = readRequest(createdEvent, { party, dso });
        if (request !== undefined) found.push(request);
      }
      if (found.length >= MAX_ROWS) break;
    }
  } catch (error) {
    throw toValidatorError(error);
  }
  return found.slice(0, MAX_ROWS);
}

export function readRequest(
  event: Pick<CreatedEvent, "contractId" | "interfaceViews" | "createdEventBlob" | "createdAt">,
  { party, dso }: { readonly party: PartyId; readonly dso: PartyId },
): FoundRequest | undefined {
  const shown = event.interfaceViews.find(({ viewValue }) => viewValue !== null);
  const contractId = parseContractId(event.contractId);
  const createdAt = parseTime(event.createdAt);
  if (shown === undefined || shown.viewValue === null || !contractId.ok || !createdAt.ok) return undefined;
  const view = AllocationRequest.view.fromJson(shown.viewValue, ledgerJson);
  if (!concerns(view, party, dso)) return undefined;
  const contract = {
    template_id: shown.interfaceId,
    contract_id: event.contractId,
    payload: AllocationRequest.view.toJson(view, scanJson) as WireContract["payload"],
    created_event_blob: event.createdEventBlob,
    created_at: formatInstant(createdAt.value),
  };
  return { contractId: contractId.value, contract };
}

function concerns({ transferLegs }: RequestView, party: PartyId, dso: PartyId): boolean {
  return transferLegs.some(
    ([, { sender, receiver, instrumentId }]) =>
      (sender === party || receiver === party) && instrumentId.admin === dso,
  );
}
