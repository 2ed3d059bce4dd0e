/** Reads the server's description of itself, completes a login that is under way, and draws the application. */
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { RestoringPage, StartFailurePage } from "./app/start-pages.tsx";
import { showTheme } from "./app/theme.ts";
import { readPreference } from "./browser/preferences.ts";
import { readWebConfig } from "./config/web-config.ts";
import { canLogInAgain, completeLogin, logIn } from "./login/login.ts";
import { chooseLanguage, loadWords } from "./words/words.ts";
import "./design/tokens.css";

async function start(element: HTMLElement): Promise<void> {
  const root = createRoot(element);
  const language = chooseLanguage([readPreference("language"), ...navigator.languages]);
  document.documentElement.lang = language;
  const [words, config] = await Promise.all([loadWords(language), readWebConfig().catch(() => null)]);
  if (config === null) {
    root.render(<StartFailurePage words={words} />);
    return;
  }
  if (config.login !== null) {
    await completeLogin(config.login);
    if (canLogInAgain()) {
      root.render(<RestoringPage words={words} />);
      if (await logIn(config.login, "none")) return;
    }
  }
  if (import.meta.env.DEV) await (await import("./login/development-login.ts")).logInForDevelopment();
  root.render(<App config={config} first={{ language, words }} />);
}

showTheme();
const element = document.getElementById("root");
if (element !== null) void start(element);
