import { useWebConfig } from "../config/web-config.ts";
import { Panel } from "../design/layout.tsx";
import { useWords } from "../words/words.ts";
import { WalletFrame } from "./wallet-frame.tsx";

/** `/wallet/help`, upstream's `/faqs`. */
export function HelpPage() {
  const { wallet } = useWords();
  const { coin } = useWebConfig().names;
  return (
    <WalletFrame place="help">
      <div className="answers">
        {wallet.help(coin).map(([question, answer]) => (
          <Panel key={question} title={question}>
            <p>{answer}</p>
          </Panel>
        ))}
      </div>
    </WalletFrame>
  );
}
