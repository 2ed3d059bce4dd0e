import { Page } from "../design/layout.tsx";
import { useWords } from "../words/words.ts";

export function NamesPage() {
  const { names } = useWords();
  return (
    <Page title={names.title} lead={names.lead}>
      {null}
    </Page>
  );
}
