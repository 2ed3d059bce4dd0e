/**
 * The address that a caller is counted by. A caller with IPv6 has a whole /64 of addresses at least: they count as one. IPv4
 * addresses may be written as IPv6 ones.
 */
import { isIPv6 } from "node:net";

export function callerAddressOf({ remoteAddress }: { readonly remoteAddress?: string | undefined }): string {
  if (remoteAddress === undefined) return "";
  if (!remoteAddress.includes(":")) return remoteAddress;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(remoteAddress)?.[1];
  if (mapped !== undefined) return mapped;
  return isIPv6(remoteAddress) ? `${networkOf(remoteAddress)}::/64` : remoteAddress;
}

/** The first four of eight groups; `::` stands for as many zeros as are missing. */
function networkOf(address: string): string {
  const [head = "", tail] = address.replace(/%.*$/, "").split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array.from({ length: zeros }, () => "0"), ...after];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
