/** Light or dark: the system's choice unless the user made one. The choice is an attribute of the document. */
import { useSyncExternalStore } from "react";
import { keepPreference, readPreference } from "../browser/preferences.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const listeners = new Set<() => void>();
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

function readTheme(): Theme {
  const kept = readPreference("theme");
  return THEMES.find((theme) => theme === kept) ?? "system";
}

export function showTheme(): void {
  const theme = readTheme();
  const shown = theme === "system" ? (systemIsDark.matches ? "dark" : "light") : theme;
  document.documentElement.dataset["theme"] = shown;
  for (const listener of listeners) listener();
}

export function chooseTheme(theme: Theme): void {
  keepPreference("theme", theme === "system" ? null : theme);
  showTheme();
}

systemIsDark.addEventListener("change", showTheme);

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, readTheme);
}
