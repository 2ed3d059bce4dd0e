import { ActionButton } from "../design/action.tsx";
import { Notice, Waiting } from "../design/notice.tsx";
import type { Words } from "../words/words.ts";

/** Shown when the page cannot even learn what stands behind it. */
export function StartFailurePage({ words: { shell } }: { readonly words: Words }) {
  return (
    <main className="page" data-width="narrow">
      <Notice kind="bad" title={shell.start.failed}>
        <p className="notice-words">{shell.start.advice}</p>
        <p>
          <ActionButton kind="quiet" onPress={() => location.reload()}>
            {shell.retry}
          </ActionButton>
        </p>
      </Notice>
    </main>
  );
}

/** Shown while a tab that was logged in asks the provider again. */
export function RestoringPage({ words: { shell } }: { readonly words: Words }) {
  return (
    <main className="page" data-width="narrow">
      <Waiting>{shell.login.again}</Waiting>
    </main>
  );
}
