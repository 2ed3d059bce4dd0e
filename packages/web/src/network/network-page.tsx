import { Page } from "../design/layout.tsx";
import { useWords } from "../words/words.ts";

export function NetworkPage() {
  const { network } = useWords();
  return (
    <Page title={network.title} lead={network.lead}>
      {null}
    </Page>
  );
}
