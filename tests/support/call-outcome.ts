/** The outcome of a typed client's call, whether it succeeded or was refused. Transport errors are thrown. */
import { HttpError } from "../../packages/api/src/client-errors.ts";

/** The status and body of a refusal; 200 and the answer of a call that succeeded. */
export async function outcomeOf(call: Promise<unknown>): Promise<{ status: number; body: unknown }> {
  try {
    return { status: 200, body: await call };
  } catch (error) {
    if (error instanceof HttpError) return { status: error.status, body: error.body };
    throw error;
  }
}

export async function statusOf(call: Promise<unknown>): Promise<number> {
  return (await outcomeOf(call)).status;
}
