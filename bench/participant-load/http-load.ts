/** Calls over connections that stay open, several at a time, each as soon as the one before it is answered. */
import { Agent, request } from "node:http";

export interface Call {
  readonly path: string;
  readonly body: unknown;
}

export class HttpLoad {
  readonly #url: URL;
  readonly #token: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });

  constructor(url: string, token: string) {
    this.#url = new URL(url);
    this.#token = token;
  }

  /** The body of a 200; anything else is an error. */
  call({ path, body }: Call): Promise<string> {
    const text = JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: this.#url.hostname,
          port: this.#url.port,
          path,
          method: "POST",
          agent: this.#agent,
          headers: {
            authorization: `Bearer ${this.#token}`,
            "content-type": "application/json",
            "content-length": Buffer.byteLength(text),
          },
        },
        (response) => {
          let answer = "";
          response.setEncoding("utf8");
          response.on("data", (chunk: string) => {
            answer += chunk;
          });
          response.on("end", () => {
            if (response.statusCode === 200) resolve(answer);
            else reject(new Error(`${path} answered ${response.statusCode}: ${answer.slice(0, 300)}`));
          });
        },
      );
      sent.on("error", reject);
      sent.end(text);
    });
  }

  /** Answers a second, with so many under way at a time. */
  async rate(count: number, concurrency: number, make: (i: number) => Call): Promise<number> {
    let next = 0;
    const began = performance.now();
    const work = async () => {
      while (next < count) await this.call(make(next++));
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    return count / ((performance.now() - began) / 1000);
  }

  close(): void {
    this.#agent.destroy();
  }
}
