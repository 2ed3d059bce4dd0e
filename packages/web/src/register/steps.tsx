import { TimeText } from "../design/texts.tsx";
import { useWords } from "../words/words.ts";
import type { Step } from "./name-request.ts";
import "./steps.css";

/** The way of a request over the ledger, with the step that is under way. Paying is the user's own step: nothing turns meanwhile. */
export function Steps({ steps, isTakeUp }: { readonly steps: readonly Step[]; readonly isTakeUp: boolean }) {
  const { register } = useWords();
  const shown = isTakeUp ? steps.filter(({ id }) => id !== "paid") : steps;
  return (
    <ol className="steps" aria-label={register.steps.label}>
      {shown.map(({ id, state, since }) => (
        <li
          key={id}
          className="step"
          data-state={state === "now" && id === "paid" ? "yours" : state}
          aria-current={state === "now" ? "step" : undefined}
        >
          <span className="step-mark" aria-hidden="true" />
          <span className="step-text">
            <span className="step-title">
              {register.steps.titles[id]}
              <span className="visually-hidden"> ({register.steps.states[state]})</span>
            </span>
            {since === null ? null : (
              <span className="soft">
                {state === "now" ? `${register.steps.waitingSince} ` : ""}
                <TimeText time={since} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
