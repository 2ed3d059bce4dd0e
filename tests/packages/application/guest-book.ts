/** A made-up application: its guests get a name on the network, and are found by it. */

export interface Wallet {
  readonly validatorUrl: string;
  readonly token: string;
}

export async function callValidator(
  { validatorUrl, token }: Wallet,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${validatorUrl}/api/validator/v0${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

/** The full name of a guest who has paid for it; the network makes it live a moment later. */
export async function welcome(wallet: Wallet, guest: string): Promise<string> {
  const entry = { name: guest, url: "", description: "a guest" };
  const { name, subscriptionRequestCid } = await callValidator(wallet, "POST", "/entry/create", entry);
  const request = `/wallet/subscription-requests/${String(subscriptionRequestCid)}/accept`;
  await callValidator(wallet, "POST", request, {});
  return String(name);
}

/** The party of a name; null if nobody has it. */
export async function lookUp(scanUrl: string, name: string): Promise<string | null> {
  const response = await fetch(`${scanUrl}/api/scan/v0/ans-entries/by-name/${name}`);
  if (response.status === 404) return null;
  const { entry } = (await response.json()) as { readonly entry: { readonly user: string } };
  return entry.user;
}
