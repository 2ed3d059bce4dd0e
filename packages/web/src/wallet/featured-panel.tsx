import { useChange, useRead } from "../calls/use-calls.ts";
import { ActionButton } from "../design/action.tsx";
import { Panel } from "../design/layout.tsx";
import { Badge, ErrorNotice } from "../design/notice.tsx";
import { useIsDevNet } from "../register/network-facts.ts";
import { useWords } from "../words/words.ts";

/** The right of a featured app. The SVs vote on it; where coin is free, users give it to themselves and give it up. */
export function FeaturedPanel() {
  const { wallet } = useWords();
  const isDevNet = useIsDevNet();
  const { data } = useRead("validator", "GET /v0/wallet/user-status", {});
  const grant = useChange("validator", "POST /v0/wallet/self-grant-feature-app-right");
  const cancel = useChange("validator", "DELETE /v0/wallet/cancel-featured-app-rights");
  if (data === undefined || !(isDevNet || data.has_featured_app_right)) return null;
  const isOn = data.has_featured_app_right;
  const error = grant.error ?? cancel.error;
  return (
    <Panel
      title={wallet.featured.title}
      aside={<Badge kind={isOn ? "good" : "plain"}>{isOn ? wallet.featured.on : wallet.featured.off}</Badge>}
    >
      <p>{isOn ? wallet.featured.has : wallet.featured.lead}</p>
      {error === null ? null : <ErrorNotice error={error} />}
      <div>
        {isOn ? (
          <ActionButton kind="danger" onPress={() => cancel.mutate({})} isPending={cancel.isPending}>
            {wallet.featured.cancel}
          </ActionButton>
        ) : (
          <ActionButton kind="quiet" onPress={() => grant.mutate({})} isPending={grant.isPending}>
            {grant.isPending ? wallet.featured.granting : wallet.featured.grant}
          </ActionButton>
        )}
      </div>
    </Panel>
  );
}
