/** The forward proxy itself: it answers anything to a plain request. */
import type { ForwardProxy, Host } from "@callsign/node";
import { type Examination, examine, fine } from "./examination.ts";

/** `host` calls directly. */
export async function examineProxy(
  proxy: ForwardProxy | undefined,
  host: Host,
): Promise<readonly Examination[]> {
  const addresses = [proxy?.https, proxy?.http].flatMap((address) =>
    address === undefined
      ? []
      : [`${address.host.includes(":") ? `[${address.host}]` : address.host}:${address.port}`],
  );
  const looks = [...new Set(addresses)].map((address) => {
    const what = `forward proxy ${address}`;
    const fix =
      "See that the proxy runs, and that https.proxyHost and https.proxyPort in additionalJvmOptions are its own";
    return examine({ what, fix, host }, async () => {
      const connections = host.http.openClient();
      try {
        const answer = await connections.fetch(`http://${address}/`, {});
        await answer.body?.cancel();
        return [fine(what, "answers")];
      } finally {
        connections.close();
      }
    });
  });
  return (await Promise.all(looks)).flat();
}
