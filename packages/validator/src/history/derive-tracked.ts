/** The outcomes of transfer offers and traffic requests that an update decides, for their senders and buyers. */
import type { Transaction } from "@callsign/api";
import { AcceptedTransferOffer, BuyTrafficRequest, TransferOffer } from "@callsign/ledger";
import { argumentOf, eventKey, isOf, payloadOf, resultOf, templateKey } from "./event-values.ts";
import type { TrackedKind, TrackedStatus } from "./tracked-outcomes.ts";

export interface TrackedOutcome {
  readonly party: string;
  readonly kind: TrackedKind;
  readonly trackingId: string;
  readonly status: TrackedStatus;
}

type Events = Transaction["events"];
type Created = Extract<Events[number], { readonly CreatedEvent: unknown }>["CreatedEvent"];
type Exercised = Extract<Events[number], { readonly ExercisedEvent: unknown }>["ExercisedEvent"];

/** Offers and requests on the network of another DSO do not count. */
export function deriveTracked(
  { events, updateId }: Pick<Transaction, "events" | "updateId">,
  parties: ReadonlySet<string>,
  dso: string,
): readonly TrackedOutcome[] {
  const outcomes = events.flatMap((event) => {
    if ("CreatedEvent" in event) return opened(event.CreatedEvent, updateId, dso) ?? [];
    return "ExercisedEvent" in event ? (decided(event.ExercisedEvent, updateId) ?? []) : [];
  });
  return outcomes.filter(({ party }) => parties.has(party));
}

function opened(event: Created, transactionId: string, dso: string): TrackedOutcome | undefined {
  const { contractId } = event;
  for (const [template, status] of [
    [TransferOffer, "created"],
    [AcceptedTransferOffer, "accepted"],
  ] as const) {
    if (!isOf(event, template)) continue;
    const { sender: party, trackingId, dso: named } = payloadOf(template, event);
    if (named !== dso) return undefined;
    return { party, kind: "transfer-offer", trackingId, status: { status, transactionId, contractId } };
  }
  if (!isOf(event, BuyTrafficRequest)) return undefined;
  const { endUserParty: party, trackingId, dso: named } = payloadOf(BuyTrafficRequest, event);
  if (named !== dso) return undefined;
  const status = { status: "created", transactionId, contractId } as const;
  return { party, kind: "traffic-request", trackingId, status };
}

type Decide = (event: Exercised, transactionId: string) => TrackedOutcome;

const decisions = new Map<string, Decide>();

for (const [choice, read] of Object.entries({
  TransferOffer_Reject: () => ({ kind: "rejected" }) as const,
  TransferOffer_Expire: () => ({ kind: "expired" }) as const,
  TransferOffer_Withdraw: (event: Exercised) => ({
    kind: "withdrawn" as const,
    reason: argumentOf(TransferOffer, "TransferOffer_Withdraw", event).reason,
  }),
})) {
  decisions.set(`${templateKey(TransferOffer)}:${choice}`, (event) =>
    ofOffer(resultOf(TransferOffer, "TransferOffer_Reject", event).trackingInfo, {
      status: "failed",
      ...read(event),
    }),
  );
}

for (const [choice, read] of Object.entries({
  AcceptedTransferOffer_Expire: () => ({ kind: "expired" }) as const,
  AcceptedTransferOffer_Withdraw: (event: Exercised) => ({
    kind: "withdrawn" as const,
    reason: argumentOf(AcceptedTransferOffer, "AcceptedTransferOffer_Withdraw", event).reason,
  }),
  AcceptedTransferOffer_Abort: (event: Exercised) => ({
    kind: "withdrawn" as const,
    reason: argumentOf(AcceptedTransferOffer, "AcceptedTransferOffer_Abort", event).reason,
  }),
})) {
  decisions.set(`${templateKey(AcceptedTransferOffer)}:${choice}`, (event) =>
    ofOffer(resultOf(AcceptedTransferOffer, "AcceptedTransferOffer_Abort", event).trackingInfo, {
      status: "failed",
      ...read(event),
    }),
  );
}
decisions.set(
  `${templateKey(AcceptedTransferOffer)}:AcceptedTransferOffer_Complete`,
  (event, transactionId) => {
    const choice = "AcceptedTransferOffer_Complete";
    const { trackingInfo, transferResult } = resultOf(AcceptedTransferOffer, choice, event);
    const [coin] = transferResult.createdAmulets;
    const contractId = coin?.tag === "TransferResultAmulet" ? coin.value : event.contractId;
    return ofOffer(trackingInfo, { status: "completed", transactionId, contractId });
  },
);

decisions.set(`${templateKey(BuyTrafficRequest)}:BuyTrafficRequest_Complete`, (event, transactionId) => {
  const result = resultOf(BuyTrafficRequest, "BuyTrafficRequest_Complete", event);
  const contractId = result.purchasedTraffic;
  return ofRequest(result.trackingInfo, { status: "completed", transactionId, contractId });
});
decisions.set(`${templateKey(BuyTrafficRequest)}:BuyTrafficRequest_Cancel`, (event) => {
  const { reason } = argumentOf(BuyTrafficRequest, "BuyTrafficRequest_Cancel", event);
  const { trackingInfo } = resultOf(BuyTrafficRequest, "BuyTrafficRequest_Cancel", event);
  return ofRequest(trackingInfo, { status: "failed", kind: "rejected", reason });
});
decisions.set(`${templateKey(BuyTrafficRequest)}:BuyTrafficRequest_Expire`, (event) => {
  const { trackingInfo } = resultOf(BuyTrafficRequest, "BuyTrafficRequest_Expire", event);
  return ofRequest(trackingInfo, { status: "failed", kind: "expired" });
});

function decided(event: Exercised, transactionId: string): TrackedOutcome | undefined {
  return decisions.get(`${eventKey(event)}:${event.choice}`)?.(event, transactionId);
}

function ofOffer(
  { sender, trackingId }: { readonly sender: string; readonly trackingId: string },
  status: TrackedStatus,
): TrackedOutcome {
  return { party: sender, kind: "transfer-offer", trackingId, status };
}

function ofRequest(
  { endUserParty, trackingId }: { readonly endUserParty: string; readonly trackingId: string },
  status: TrackedStatus,
): TrackedOutcome {
  return { party: endUserParty, kind: "traffic-request", trackingId, status };
}
