/** The `Accept` header: true if the caller takes the type that the operation answers. */
import type { Endpoint } from "@callsign/api";

const TYPES = { json: "application/json", text: "text/plain" } as const;

/** Without the header, and for an answer without a body, everything is taken. */
export function isAccepted(accept: string | undefined, { success }: Endpoint): boolean {
  if (accept === undefined || accept.trim() === "" || success.kind === "empty") return true;
  const type = TYPES[success.kind];
  const wanted: readonly string[] = [type, `${type.split("/")[0]}/*`, "*/*"];
  return accept.split(",").some((range) => {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    return wanted.includes(name) && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter));
  });
}
