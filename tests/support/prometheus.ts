/** A Prometheus server of its own, Debian's, that scrapes the given nodes once a second. */
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";

export interface ScrapedNode {
  /** As `http://127.0.0.1:10013/metrics`. */
  readonly url: string;
  /** Labels that Kubernetes would add. */
  readonly labels: Readonly<Record<string, string>>;
}

export interface PrometheusOptions {
  readonly nodes: readonly ScrapedNode[];
  /** Asks for protobuf and keeps native histograms. */
  readonly hasNativeHistograms: boolean;
}

export interface QueryResult {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export class Prometheus {
  readonly #url: string;

  private constructor(url: string) {
    this.#url = url;
  }

  static async start({ nodes, hasNativeHistograms }: PrometheusOptions, atEnd: AtEnd): Promise<Prometheus> {
    const folder = temporaryFolder(atEnd);
    const file = join(folder, "prometheus.json");
    const jobs = nodes.map(({ url, labels }, i) => ({
      job_name: `node-${i}`,
      metrics_path: new URL(url).pathname,
      static_configs: [{ targets: [new URL(url).host], labels }],
    }));
    // JSON is YAML.
    const global = { scrape_interval: "1s", scrape_timeout: "1s" };
    writeFileSync(file, JSON.stringify({ global, scrape_configs: jobs }));
    const feature = hasNativeHistograms ? ["--enable-feature=native-histograms"] : [];
    const place = [`--config.file=${file}`, `--storage.tsdb.path=${join(folder, "data")}`];
    const server = spawn("prometheus", [...place, "--web.listen-address=127.0.0.1:0", ...feature], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    atEnd(async () => {
      const ended = new Promise((resolve) => server.once("close", resolve));
      if (server.kill("SIGKILL")) await ended;
    });
    return new Prometheus(`http://${await listening(server)}`);
  }

  /** The values of an expression now; empty where there is no data. Throws if the expression is wrong. */
  async query(expression: string): Promise<readonly QueryResult[]> {
    const answer = await fetch(`${this.#url}/api/v1/query?query=${encodeURIComponent(expression)}`);
    const { status, error, data } = (await answer.json()) as QueryAnswer;
    if (status !== "success") throw new Error(`${expression}: ${error}`);
    return data.result.map(({ metric, value: [, value] }) => ({ labels: metric, value: Number(value) }));
  }

  /** The reasons why scrapes failed. */
  async scrapeErrors(): Promise<readonly string[]> {
    const answer = await fetch(`${this.#url}/api/v1/targets`);
    const { data } = (await answer.json()) as {
      readonly data: { readonly activeTargets: readonly { readonly lastError: string }[] };
    };
    return data.activeTargets.map(({ lastError }) => lastError).filter((error) => error !== "");
  }
}

interface QueryAnswer {
  readonly status: string;
  readonly error: string;
  readonly data: {
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>;
      readonly value: readonly [number, string];
    }[];
  };
}

/** The address that it says it listens on, once it is ready. */
function listening(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    server.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      output = (output + chunk).slice(-20_000);
      const address = /msg="Listening on" address=(\S+)/.exec(output)?.[1];
      if (address !== undefined && output.includes("Server is ready")) resolve(address);
    });
    server.once("error", reject);
    server.once("close", (code) => reject(new Error(`prometheus ended with ${code}: ${output}`)));
  });
}
