/**
 * Addresses that other people wrote. A link is offered for http and https alone: `javascript:`, `data:` and the like would
 * run in the page. An address with a user name in it, such as `https://bank.example@evil.example`, is no link either.
 */
export function findSafeLink(text: string): string | null {
  const trimmed = text.trim();
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return null;
  const url = new URL(trimmed);
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  return url.username === "" && url.password === "" ? url.href : null;
}
