/** True for an address on the user's own machine. */
export function isOnLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
