import type { MountedApi } from "@callsign/node";

/** A call may be the first to read a damaged page or row: `checkDamage` gets every error that a call ends with. */
export function watchDamage(
  mounts: readonly MountedApi[],
  checkDamage: (error: unknown) => void,
): [MountedApi, ...MountedApi[]] {
  const watch = (mount: MountedApi): MountedApi => ({
    ...mount,
    rejectionOf: (error, endpoint) => {
      checkDamage(error);
      return mount.rejectionOf?.(error, endpoint) ?? null;
    },
  });
  return mounts.map(watch) as [MountedApi, ...MountedApi[]];
}
