/** The strings of the chosen language. A language is loaded when it is chosen. */
import { createContext, useContext } from "react";
import type { en } from "./en.ts";

export type Words = typeof en;

export const LANGUAGES = ["en", "de"] as const;
export type Language = (typeof LANGUAGES)[number];

export async function loadWords(language: Language): Promise<Words> {
  switch (language) {
    case "en":
      return (await import("./en.ts")).en;
    case "de":
      return (await import("./de.ts")).de;
  }
}

/** The first language of the list that there are words for; English otherwise. */
export function chooseLanguage(wanted: readonly (string | null)[]): Language {
  for (const tag of wanted) {
    const found = LANGUAGES.find((language) => tag?.toLowerCase().split("-")[0] === language);
    if (found !== undefined) return found;
  }
  return "en";
}

export interface SpokenWords {
  readonly language: Language;
  readonly words: Words;
}

export const WordsContext = createContext<SpokenWords | null>(null);

function useSpokenWords(): SpokenWords {
  const spoken = useContext(WordsContext);
  if (spoken === null) throw new Error("The page was drawn before its words were loaded.");
  return spoken;
}

export function useWords(): Words {
  return useSpokenWords().words;
}

export function useLanguage(): Language {
  return useSpokenWords().language;
}
