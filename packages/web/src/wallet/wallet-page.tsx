import { Page } from "../design/layout.tsx";
import { useWords } from "../words/words.ts";

export function WalletPage() {
  const { wallet } = useWords();
  return (
    <Page title={wallet.title} lead={wallet.lead}>
      {null}
    </Page>
  );
}
