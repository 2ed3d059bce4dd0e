import { useState } from "react";
import { useChange, useRead } from "../../calls/use-calls.ts";
import { ActionButton } from "../../design/action.tsx";
import { Field } from "../../design/field.tsx";
import { Panel } from "../../design/layout.tsx";
import { ErrorNotice, Nothing, Notice } from "../../design/notice.tsx";
import { ReadView } from "../../design/read-view.tsx";
import { Table } from "../../design/table.tsx";
import { PartyText, TimeText } from "../../design/texts.tsx";
import { useFormat } from "../../words/use-format.ts";
import { useWords } from "../../words/words.ts";
import { readPriceVote } from "./dso.ts";

const DECIMAL = /^\d{1,28}(\.\d{1,10})?$/;

/** The SVs' votes on the price of coin, and this SV's own. */
export function SvPrice() {
  const { operator } = useWords();
  const format = useFormat();
  const votes = useRead("sv", "GET /v0/admin/sv/amulet-price/votes", {});
  return (
    <>
      <Panel title={operator.price.title}>
        <p className="soft">{operator.price.lead}</p>
        <PriceForm />
      </Panel>
      <Panel title={operator.price.votes}>
        <ReadView
          read={votes}
          isEmpty={({ amulet_price_votes }) => amulet_price_votes.length === 0}
          empty={<Nothing title={operator.price.none} />}
        >
          {({ amulet_price_votes }) => (
            <Table
              caption={operator.price.votes}
              rows={amulet_price_votes.map(({ payload }) => readPriceVote(payload))}
              keyOf={({ sv }) => sv}
              columns={[
                { title: operator.sv.name, cell: ({ sv }) => <PartyText party={sv} /> },
                {
                  title: operator.price.vote,
                  cell: ({ price }) =>
                    price === null ? (
                      <span className="soft">{operator.price.noVote}</span>
                    ) : (
                      format.usd(price)
                    ),
                },
                { title: operator.price.since, cell: ({ updatedAt }) => <TimeText time={updatedAt} /> },
              ]}
            />
          )}
        </ReadView>
      </Panel>
    </>
  );
}

function PriceForm() {
  const { operator } = useWords();
  const [price, setPrice] = useState("");
  const vote = useChange("sv", "PUT /v0/admin/sv/amulet-price/vote");
  const isWrong = price !== "" && !DECIMAL.test(price);
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (DECIMAL.test(price)) vote.mutate({ body: { amulet_price: price } });
      }}
    >
      <Field
        label={operator.price.field}
        value={price}
        onChange={setPrice}
        hint={operator.price.hint}
        problem={isWrong ? operator.price.wrong : null}
        inputMode="decimal"
        end="USD"
        id="price-vote"
      />
      <div>
        <ActionButton type="submit" isPending={vote.isPending} isDisabled={price === "" || isWrong}>
          {operator.price.submit}
        </ActionButton>
      </div>
      {vote.isSuccess ? <Notice kind="good">{operator.price.done}</Notice> : null}
      {vote.error === null ? null : <ErrorNotice error={vote.error} />}
    </form>
  );
}
