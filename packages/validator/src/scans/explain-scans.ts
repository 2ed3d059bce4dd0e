/** Says who answers at the URLs of scans that do not: operators swap URLs easily. */
import { explainWrongServer, findOtherRole, type Host } from "@callsign/node";
import { isProblem } from "../errors/validator-error.ts";

/** More would take long, and one is enough to see the mistake. */
const EXPLAINED = 4;

/** The work's own result; where scans failed it and other servers answer at their URLs, an error that names those. */
export async function explainingScans<T>(
  urls: readonly string[],
  host: Host,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isProblem(error, "too-few-scans", "scan-rejection")) throw error;
    const faults = await Promise.all(
      urls
        .slice(0, EXPLAINED)
        .map((url) => explainWrongServer({ url, name: "the scan's URL", role: "scan" }, host)),
    );
    const explained = faults.filter((fault) => fault !== undefined);
    if (explained.length === 0) throw error;
    throw new Error(explained.join("; "), { cause: error });
  }
}

/** Throws if another kind of server answers there. A sequencer that is down may come back. */
export async function requireSequencer(url: string, host: Host): Promise<void> {
  const other = await findOtherRole({ url, role: "sequencer" }, host);
  if (other !== null)
    throw new Error(`the sequencer's URL ${url} is answered by ${other}; it must be the URL of a sequencer`);
}
