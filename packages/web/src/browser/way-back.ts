/**
 * The addresses that a login or a payment may return to. Only a path of the page's own origin is followed; everything else,
 * such as `//evil.example`, `https:evil.example` or another origin, leads to the first page.
 */
export function safeWayBack(wanted: string | null, origin: string): string {
  if (wanted === null || wanted === "" || !URL.canParse(wanted, origin)) return "/";
  const url = new URL(wanted, origin);
  if (url.origin !== new URL(origin).origin || url.username !== "" || url.password !== "") return "/";
  const path = url.pathname.replace(/^\/+/, "/");
  return `${path}${url.search}${url.hash}`;
}
