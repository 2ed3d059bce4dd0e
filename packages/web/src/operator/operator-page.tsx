import { Page } from "../design/layout.tsx";
import { useWords } from "../words/words.ts";

export function OperatorPage() {
  const { operator } = useWords();
  return (
    <Page title={operator.title} lead={operator.lead}>
      {null}
    </Page>
  );
}
