/** The next step of a rotation, from the keys that the member holds and those that the network has. */
export interface RegisteredKeys {
  readonly signingKeys: readonly string[];
  /** Counts up with each delegation. */
  readonly serial: bigint;
}

export interface HeldKeys {
  readonly present: string;
  /** Null: the rotation has not begun, and its key is any. */
  readonly next: string | null;
}

export type RotationStep =
  /** The network is to have the next key beside the present one. */
  | { readonly kind: "add"; readonly keys: RegisteredKeys }
  /** The network is to have the next key alone. */
  | { readonly kind: "replace"; readonly keys: RegisteredKeys }
  | { readonly kind: "done" }
  | { readonly kind: "refused"; readonly reason: string };

export function decideRotation(
  registered: RegisteredKeys | null,
  { present, next }: HeldKeys,
  { replaceUnknown }: { readonly replaceUnknown: boolean },
): RotationStep {
  if (registered === null) {
    const reason = "the network does not know this member yet: rotate its key once it is registered";
    return { kind: "refused", reason };
  }
  const { signingKeys } = registered;
  const serial = registered.serial + 1n;
  const added = next ?? "";
  if (signingKeys.includes(added)) {
    if (signingKeys.length === 1) return { kind: "done" };
    return { kind: "replace", keys: { signingKeys: [added], serial } };
  }
  if (signingKeys.includes(present)) return { kind: "add", keys: { signingKeys: [present, added], serial } };
  if (replaceUnknown) return { kind: "replace", keys: { signingKeys: [added], serial } };
  const reason =
    "the network has signing keys of this member that this node does not hold. If its identity was restored from before " +
    "a rotation, or the keys are not yours, replace them: keys rotate --replace-unknown. A process that still runs with them " +
    "is cut off by that";
  return { kind: "refused", reason };
}
