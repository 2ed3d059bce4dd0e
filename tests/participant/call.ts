/** Raw calls, for what a typed client would not send, and what came back as a ledger error. */
import { type LedgerErrorBody, LedgerErrorBody as ledgerErrorBody } from "../../packages/api/src/index.ts";
import { outcomeOf } from "../support/call-outcome.ts";
import { tokenFor } from "../support/participants.ts";

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  readonly json: unknown;
}

export async function call(
  url: string,
  given: {
    readonly method?: string;
    readonly user?: string | null;
    readonly authorization?: string;
    readonly body?: unknown;
    readonly text?: string;
  } = {},
): Promise<RawAnswer> {
  const { method = "POST", user = null } = given;
  const authorization = given.authorization ?? (user === null ? null : `Bearer ${await tokenFor(user)}`);
  const text = given.text ?? (given.body === undefined ? undefined : JSON.stringify(given.body));
  const response = await fetch(url, {
    method,
    headers: authorization === null ? {} : { authorization },
    ...(text === undefined ? {} : { body: text }),
  });
  const answer = await response.text();
  return { status: response.status, text: answer, json: parse(answer) };
}

/** The body of an error, in its shape; anything else is a failure of the test. */
export function errorOf({ status, json, text }: RawAnswer): LedgerErrorBody & { readonly status: number } {
  const read = ledgerErrorBody.safeParse(json);
  if (!read.success) throw new Error(`status ${status} without a ledger error: ${text.slice(0, 300)}`);
  return { ...read.data, status };
}

/** The error of a typed client's call. */
export async function refusalOf(refused: Promise<unknown>): Promise<ReturnType<typeof errorOf>> {
  const { status, body } = await outcomeOf(refused);
  if (status === 200) throw new Error("the call was not refused");
  return errorOf({ status, json: body, text: JSON.stringify(body) });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
