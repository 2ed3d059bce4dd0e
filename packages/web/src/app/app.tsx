import type { WebConfig } from "@callsign/api";
import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { I18nProvider } from "react-aria-components/I18nProvider";
import { keepPreference } from "../browser/preferences.ts";
import { makeQueryClient } from "../calls/query-client.ts";
import { WebConfigContext } from "../config/web-config.ts";
import { readSession, subscribeToSession } from "../login/session.ts";
import { type Language, loadWords, type SpokenWords, WordsContext } from "../words/words.ts";
import { Router } from "./router.tsx";
import { Shell } from "./shell.tsx";

export function App({ config, first }: { readonly config: WebConfig; readonly first: SpokenWords }) {
  const [spoken, setSpoken] = useState(first);
  const client = useMemo(makeQueryClient, []);
  useEffect(
    () =>
      subscribeToSession(() => {
        // Nothing of one user is left for the next.
        if (readSession().kind === "out") client.clear();
      }),
    [client],
  );
  useEffect(() => {
    document.documentElement.lang = spoken.language;
  }, [spoken]);
  const speak = (language: Language) => {
    keepPreference("language", language);
    void loadWords(language).then((words) => setSpoken({ language, words }));
  };
  return (
    <WebConfigContext value={config}>
      <WordsContext value={spoken}>
        <I18nProvider locale={spoken.language}>
          <QueryClientProvider client={client}>
            <Shell onLanguage={speak}>
              <Router />
            </Shell>
          </QueryClientProvider>
        </I18nProvider>
      </WordsContext>
    </WebConfigContext>
  );
}
