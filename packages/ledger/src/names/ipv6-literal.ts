// Addresses between the brackets of `http://[::1]/`, as java.net.URI reads them.
//
//   literal = address [ "%" scope ]              scope: one or more of A-Z a-z 0-9 "_" "."
//   address = eight groups, separated by ":"; or at most seven with one "::" that stands for the missing ones
//   group   = one to four hexadecimal digits; the last two groups may be one dotted IPv4 address instead
//
// A part of the IPv4 address may have leading zeros, and is 255 at most.

// One or more ASCII letters, digits, "_" or ".".
const SCOPE = /^[A-Za-z0-9_.]+$/;

// One to four hexadecimal digits.
const GROUP = /^[0-9A-Fa-f]{1,4}$/;

// One or more decimal digits.
const DIGITS = /^[0-9]+$/;

export function isIpv6Literal(text: string): boolean {
  const percent = text.indexOf("%");
  if (percent >= 0 && !SCOPE.test(text.slice(percent + 1))) return false;
  const address = percent >= 0 ? text.slice(0, percent) : text;
  const gap = address.indexOf("::");
  if (gap < 0) return countGroups(address, { mayEndInIpv4: true }) === 8;
  const before = address.slice(0, gap);
  const after = address.slice(gap + 2);
  const groupsBefore = before === "" ? 0 : countGroups(before, { mayEndInIpv4: false });
  const groupsAfter = after === "" ? 0 : countGroups(after, { mayEndInIpv4: true });
  return groupsBefore !== null && groupsAfter !== null && groupsBefore + groupsAfter <= 7;
}

/** The number of groups in a run such as `1:2ab:c`, an IPv4 address counting as two; null if it is malformed. */
function countGroups(run: string, { mayEndInIpv4 }: { readonly mayEndInIpv4: boolean }): number | null {
  const groups = run.split(":");
  const last = groups.at(-1) ?? "";
  if (mayEndInIpv4 && isIpv4Address(last)) {
    return groups.slice(0, -1).every(isGroup) ? groups.length + 1 : null;
  }
  return groups.every(isGroup) ? groups.length : null;
}

function isGroup(text: string): boolean {
  return GROUP.test(text);
}

function isIpv4Address(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => DIGITS.test(part) && Number(part) <= 255);
}
