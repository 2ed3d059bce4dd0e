/** Names as a scan's change feed tells of them: nobody asks again and again, so that the network has the processor to itself. */
import { type ClientRequest, get } from "node:http";

export class HeardNames {
  readonly #request: ClientRequest;
  readonly #waiting = new Map<string, () => void>();
  readonly #heard = new Set<string>();

  private constructor(request: ClientRequest) {
    this.#request = request;
  }

  static listen(scanUrl: string): Promise<HeardNames> {
    const url = `${scanUrl}/api/scan/ext/v1/names/changes`;
    return new Promise((resolve, reject) => {
      const request = get(url, { headers: { accept: "text/event-stream" } }, (answer) => {
        if (answer.statusCode !== 200) return reject(new Error(`the feed answered ${answer.statusCode}`));
        const names = new HeardNames(request);
        let rest = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => {
          const lines = (rest + chunk).split("\n");
          rest = lines.pop() ?? "";
          for (const line of lines) names.#read(line);
        });
        resolve(names);
      });
      request.once("error", reject);
    });
  }

  #read(line: string): void {
    if (!line.startsWith("data: ")) return;
    const { kind, name } = JSON.parse(line.slice("data: ".length)) as { kind: string; name: string };
    if (kind !== "registered") return;
    this.#heard.add(name);
    this.#waiting.get(name)?.();
    this.#waiting.delete(name);
  }

  /** Resolves once the name is registered; at once if it was. */
  async registered(name: string): Promise<void> {
    if (!this.#heard.has(name)) await new Promise<void>((resolve) => this.#waiting.set(name, resolve));
  }

  close(): void {
    this.#request.destroy();
  }
}
