import type { WebConfig } from "@callsign/api";

/** The service that a page reads from. Names come from a scan or, for users with a login, from a validator's scan proxy. */
export type PageNeed =
  | keyof WebConfig["services"]
  /** A scan, or a validator that users can log in to. */
  | "names"
  /** An SV or a validator. */
  | "operator";

/** True if the services behind the page have what it needs. */
export function isOffered(need: PageNeed, { services, login }: WebConfig): boolean {
  switch (need) {
    case "names":
      return services.scan !== null || (services.validator !== null && login !== null);
    case "operator":
      return services.sv !== null || services.validator !== null;
    default:
      return services[need] !== null;
  }
}
