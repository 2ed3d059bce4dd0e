/** The page that asks who logs in, and the one that says why nobody can. Neither has scripts. */

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 28rem; padding: 3rem 1rem; }
h1 { font-size: 1.5rem; line-height: 1.2; }
form { margin: 0.5rem 0; }
button { box-sizing: border-box; width: 100%; padding: 0.75rem 1rem; font: inherit; text-align: start; cursor: pointer;
  border: 1px solid GrayText; border-radius: 0.5rem; background: Canvas; color: CanvasText; overflow-wrap: anywhere; }
small { display: block; padding: 0.25rem 1rem 0.5rem; }
button:hover, button:focus-visible { outline: 2px solid Highlight; }
`;

export const STYLE_PATH = "/login.css";

export interface LoginAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const STYLE_ANSWER: LoginAnswer = {
  status: 200,
  headers: {
    "content-type": "text/css; charset=utf-8",
    "x-content-type-options": "nosniff",
    "cache-control": "no-cache",
  },
  body: STYLE,
};

export interface LoginUser {
  readonly id: string;
  /** The purpose of a user of every local network; null for a user that somebody has made. */
  readonly purpose: string | null;
}

export interface LoginPage {
  /** The path under which a user's button is answered. */
  readonly path: string;
  readonly node: string;
  readonly users: readonly LoginUser[];
  /** The page that the user comes back to. */
  readonly origin: string;
}

/** Browsers hold a form to its `form-action` beyond the redirects that answer it. */
export function renderLoginPage({ path, node, users, origin }: LoginPage): LoginAnswer {
  const buttons = users.map(({ id, purpose }) => {
    const action = escapeMarkup(`${path}/${encodeURIComponent(id)}`);
    const [button, about] = [escapeMarkup(`user-${id}`), escapeMarkup(`about-${id}`)];
    const described = purpose === null ? "" : ` aria-describedby="${about}"`;
    const more = purpose === null ? "" : `<small id="${about}">${escapeMarkup(purpose)}</small>`;
    return `<form method="post" action="${action}"><button id="${button}"${described}>${escapeMarkup(id)}</button>${more}</form>`;
  });
  const text = `Users of the node ${escapeMarkup(node)} on your local network. There is no password: choose one.`;
  return renderPage(200, "Who are you?", [`<p>${text}</p>`, ...buttons].join("\n"), `'self' ${origin}`);
}

export function renderLoginFailure(status: number, reason: string): LoginAnswer {
  const advice = "Go back to the page that you came from, and log in again.";
  return renderPage(
    status,
    "You are not logged in",
    `<p>${escapeMarkup(reason)}</p>\n<p>${advice}</p>`,
    "'none'",
  );
}

function renderPage(status: number, title: string, content: string, formAction: string): LoginAnswer {
  return {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'self'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "no-store",
    },
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`,
  };
}

function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
