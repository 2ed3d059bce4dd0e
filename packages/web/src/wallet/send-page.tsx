import { useState } from "react";
import { useSearchParams } from "wouter";
import { useWords } from "../words/words.ts";
import type { PlannedTransfer } from "./planned-transfer.ts";
import { SendForm } from "./send-form.tsx";
import { SendReview } from "./send-review.tsx";
import { WalletFrame } from "./wallet-frame.tsx";

/** `/wallet/send`: to a name or a party. `?to=` fills in the receiver, for links from other pages. */
export function SendPage() {
  const { wallet } = useWords();
  const [query] = useSearchParams();
  const [planned, setPlanned] = useState<PlannedTransfer | null>(null);
  const [count, setCount] = useState(0);
  const startAgain = () => {
    setPlanned(null);
    setCount(count + 1);
  };
  return (
    <WalletFrame place="send" lead={wallet.send.lead}>
      <div hidden={planned !== null}>
        <SendForm key={count} to={count === 0 ? (query.get("to") ?? "") : ""} onPlan={setPlanned} />
      </div>
      {planned === null ? null : (
        <SendReview key={planned.id} planned={planned} onBack={() => setPlanned(null)} onAgain={startAgain} />
      )}
    </WalletFrame>
  );
}
