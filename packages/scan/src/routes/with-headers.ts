import type { Endpoint } from "@callsign/api";
import { type Answer, Refusal, Reply } from "@callsign/node";

export type SoonAnswer = Answer<Endpoint> | Promise<Answer<Endpoint>>;

/** Adds headers to an answer, or to the refusal in its place. */
export function withHeaders(headers: Readonly<Record<string, string>>, answer: () => SoonAnswer): SoonAnswer {
  const add = (given: Answer<Endpoint>) => {
    if (!(given instanceof Reply)) return new Reply<never>(given as never, { headers });
    return new Reply(given.answer, { status: given.status, headers: { ...given.headers, ...headers } });
  };
  const fail = (error: unknown): never => {
    throw error instanceof Refusal ? error.withHeaders(headers) : error;
  };
  try {
    const given = answer();
    return given instanceof Promise ? given.then(add, fail) : add(given);
  } catch (error) {
    return fail(error);
  }
}
