/**
 * Where a confirmed payment leads. Upstream's pages follow any address, so that a link to the wallet could lead anywhere. Here a
 * redirect is followed to the page's own origin, to origins that the server's operator has named, and between the wallet and the
 * name service of one host family, such as `wallet.localhost:2000` and `ans.localhost:2000`. Any other is shown as text.
 */
import { safeWayBack } from "../browser/way-back.ts";

export type RedirectTarget =
  | { readonly kind: "none" }
  /** A path of this page. */
  | { readonly kind: "own"; readonly path: string }
  /** The name service or the wallet beside this page. */
  | { readonly kind: "family"; readonly href: string }
  | { readonly kind: "refused"; readonly text: string };

const FAMILY_LABELS = new Set(["wallet", "ans", "cns"]);
const MAX_SHOWN = 300;

export function decideRedirect(
  wanted: string | null,
  origin: string,
  returnOrigins: readonly string[],
): RedirectTarget {
  if (wanted === null || wanted === "") return { kind: "none" };
  const refused: RedirectTarget = { kind: "refused", text: wanted.slice(0, MAX_SHOWN) };
  if (!URL.canParse(wanted, origin)) return refused;
  const target = new URL(wanted, origin);
  const here = new URL(origin);
  if (target.username !== "" || target.password !== "") return refused;
  if (target.origin === here.origin) return { kind: "own", path: safeWayBack(wanted, origin) };
  const isKnown = returnOrigins.includes(target.origin) || isFamily(target, here);
  return isKnown ? { kind: "family", href: target.href } : refused;
}

/**
 * Both hosts begin with a label of the family and are the same behind it. Names right below a registry, such as `wallet.example`
 * `wallet.co.uk` or `wallet.github.io`, belong to strangers, and no rule on labels tells them from `wallet.example.com`: three
 * labels must follow, or `localhost`. Operators of shorter names give the address of the other UI in their configuration.
 */
function isFamily(target: URL, here: URL): boolean {
  if (target.protocol !== here.protocol || target.port !== here.port) return false;
  const [targetLabel = "", ...targetRest] = target.hostname.split(".");
  const [label = "", ...rest] = here.hostname.split(".");
  if (!FAMILY_LABELS.has(targetLabel) || !FAMILY_LABELS.has(label)) return false;
  if (rest.join(".") !== targetRest.join(".")) return false;
  return rest.join(".") === "localhost" || rest.length >= 3;
}
