import { Page } from "../design/layout.tsx";
import { useWords } from "../words/words.ts";

export function DeveloperPage() {
  const { developer } = useWords();
  return (
    <Page title={developer.title} lead={developer.lead}>
      {null}
    </Page>
  );
}
