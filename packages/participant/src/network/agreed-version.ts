import { ANSWER_MILLISECONDS } from "../limits/limits.ts";
import { askTrusted } from "./ask-trusted.ts";

/** The protocol version that f + 1 sequencers have reached: versions only grow. Null if too few answer. */
export async function findAgreedVersion(parts: Parameters<typeof askTrusted>[0]): Promise<bigint | null> {
  const answers = await askTrusted(parts, ANSWER_MILLISECONDS, async ({ client, signal }) => {
    const { protocolVersion } = await client.getNetwork(signal);
    return protocolVersion;
  });
  const version = answers.toSorted((a, b) => b - a)[parts.consensus.quorum.voices - 1];
  return version === undefined ? null : BigInt(version);
}
