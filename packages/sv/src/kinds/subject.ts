/** The unit of an SV's decisions: contracts that are looked at together. */

export type Subject =
  /** Everything paid for one name: first payments, renewals, confirmations. The key is the name's. */
  | { readonly kind: "name"; readonly key: bigint }
  /** One contract by itself; the key is its row's `created`. */
  | { readonly kind: "contract"; readonly key: bigint }
  /** A round that is no longer open, and its coupons; the key is its number. */
  | { readonly kind: "past-round"; readonly key: bigint }
  /** A request without its user's answer, and the announcements of its withdrawal; the key is its id's. */
  | { readonly kind: "request"; readonly key: bigint }
  /** By owner: a member's traffic, a validator's licenses, an SV's reward states, a sender's commands, a candidate's onboarding. */
  | {
      readonly kind: "traffic" | "licenses" | "reward-states" | "commands" | "candidates";
      readonly key: bigint;
    }
  /** The open rounds with their configuration states, price votes and SV rewards; and what there is one pile of. */
  | {
      readonly kind:
        | "rounds"
        | "coins"
        | "markers"
        | "unclaimed-rewards"
        | "fund-coupons"
        | "onboardings"
        | "sv-nodes"
        | "sv-sets";
      readonly key: 0n;
    };

export type SubjectKind = Subject["kind"];

export const ROUNDS: Subject = { kind: "rounds", key: 0n };
export const COINS: Subject = { kind: "coins", key: 0n };
export const MARKERS: Subject = { kind: "markers", key: 0n };
export const UNCLAIMED_REWARDS: Subject = { kind: "unclaimed-rewards", key: 0n };
export const FUND_COUPONS: Subject = { kind: "fund-coupons", key: 0n };
export const ONBOARDINGS: Subject = { kind: "onboardings", key: 0n };
/** The SVs' descriptions of their nodes; each SV writes its own. */
export const SV_NODES: Subject = { kind: "sv-nodes", key: 0n };

/** Changed sets of SVs; each SV of the set before attests one. */
export const SV_SETS: Subject = { kind: "sv-sets", key: 0n };

export function subjectId({ kind, key }: Subject): string {
  return `${kind} ${key}`;
}
