/** The server's description of itself, read once before anything is shown. */
import type { WebConfig } from "@callsign/api";
import { createContext, useContext } from "react";
import { abortAfter } from "../browser/page-host.ts";

const PATIENCE_MILLISECONDS = 10_000;

export async function readWebConfig(): Promise<WebConfig> {
  const answer = await fetch("/config.json", {
    cache: "no-cache",
    signal: abortAfter(PATIENCE_MILLISECONDS, undefined),
  });
  if (!answer.ok) throw new Error(`GET /config.json answered ${answer.status}`);
  return (await answer.json()) as WebConfig;
}

export const WebConfigContext = createContext<WebConfig | null>(null);

export function useWebConfig(): WebConfig {
  const config = useContext(WebConfigContext);
  if (config === null) throw new Error("The page was drawn before its configuration was read.");
  return config;
}
