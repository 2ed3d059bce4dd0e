import { Page } from "../design/layout.tsx";
import { useWords } from "../words/words.ts";

export function RegisterPage() {
  const { register } = useWords();
  return (
    <Page title={register.title} lead={register.lead}>
      {null}
    </Page>
  );
}
