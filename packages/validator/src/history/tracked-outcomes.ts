/** Requests that a user follows by a tracking id of its own choice. */
export type TrackedKind = "transfer-offer" | "traffic-request";

/** `transactionId` is the update at which the request took this status, `contractId` the contract that it left or used up there. */
export type TrackedStatus =
  | {
      readonly status: "created" | "accepted" | "completed";
      readonly transactionId: string;
      readonly contractId: string;
    }
  | {
      readonly status: "failed";
      readonly kind: "expired" | "rejected" | "withdrawn";
      readonly reason?: string;
    };

/** The state of tracked requests, kept after their contracts are archived. `party` is the sender or buyer. */
export interface TrackedOutcomes {
  find(party: string, kind: TrackedKind, trackingId: string): Promise<TrackedStatus | undefined>;
}

/** A range of tracking ids, in the order of their bytes. */
export interface TrackingIdRange {
  readonly first: string;
  readonly last: string;
  readonly limit: number;
}
