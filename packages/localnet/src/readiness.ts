/** Which of the network's endpoints answer. */

export interface NamedEndpoint {
  readonly name: string;
  /** With the API's prefix. */
  readonly url: string;
}

const TIMEOUT_MILLISECONDS = 2000;

/** The names of those that do not say 200. */
export async function listSilent(
  endpoints: readonly NamedEndpoint[],
  path: "/readyz" | "/livez",
): Promise<readonly string[]> {
  const answers = await Promise.all(
    endpoints.map(async ({ name, url }) => ((await answers200(url + path)) ? [] : [name])),
  );
  return answers.flat();
}

async function answers200(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}
