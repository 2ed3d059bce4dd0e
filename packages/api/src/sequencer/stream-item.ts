/** One item of a member's stream, as its body says it in JSON: what an outcome means to the parties it hosts. */
export interface StreamItem {
  readonly recordTime: string;
  /** The end of a submission of the member's own. */
  readonly completion: StreamCompletion | null;
  readonly update: StreamUpdate | null;
  /** Parties that the member hosts from now on, or no longer does. */
  readonly hostings: readonly { readonly party: string; readonly hosted: boolean }[];
}

export interface StreamCompletion {
  readonly userId: string;
  readonly commandId: string;
  readonly submissionId: string;
  readonly actAs: readonly string[];
  readonly updateId: string | null;
  readonly error: StreamError | null;
}

export interface StreamError {
  readonly code: string;
  readonly category: number;
  readonly context: Readonly<Record<string, string>>;
  readonly resources: readonly (readonly [string, string])[];
}

export interface StreamUpdate {
  readonly updateId: string;
  readonly ledgerTime: string;
  readonly events: readonly StreamEvent[];
}

/** The template or the choice that an update begins with: updates of one kind have similar texts. */
export function kindOfUpdate(update: StreamUpdate | null): string {
  const first = update?.events[0];
  if (first === undefined) return "";
  return first.kind === "created" ? first.templateId : `${first.templateId} ${first.choice}`;
}

interface EventFrame {
  readonly nodeId: number;
  readonly contractId: string;
  readonly templateId: string;
  readonly signatories: readonly string[];
  readonly observers: readonly string[];
  readonly witnesses: readonly string[];
  readonly acsDelta: boolean;
}

export type StreamEvent =
  | (EventFrame & { readonly kind: "created"; readonly payload: string; readonly createdAt: string })
  | (EventFrame & {
      readonly kind: "exercised";
      readonly lastDescendant: number;
      readonly interfaceId: string | null;
      readonly choice: string;
      readonly consuming: boolean;
      readonly actingParties: readonly string[];
      readonly argument: string;
      readonly result: string;
    });
