import { type FormEvent, useRef } from 'react';
import type { IslandText } from '../locales/index.ts';
import { goOn, questionsStep } from './questions/questions-step.ts';
import styles from './questions-form.module.css';
import { touchOnce } from './runtime/hydration/plain-step.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { answerTo, type ChosenAnswer, type Question, questions } from './stores/answers.ts';
import { $map } from './stores/map.ts';
import { ContinueButton } from './ui/continue-button.tsx';
import { Field, TextInput } from './ui/field.tsx';
import { LineIcon } from './ui/line-icon.tsx';
import { RadioCard } from './ui/radio-card.tsx';

interface Props {
  text: IslandText['questions-form'];
  action: string;
  signs: Readonly<Record<ChosenAnswer, string>>;
}

/** Checks what the visitor answered before, unless they answer now. */
function resume(form: HTMLFormElement | null): void {
  const island = form?.closest('x-island');
  if (!form || !island) return;
  const { elements } = form;
  for (const question of Object.keys(questions) as Question[]) {
    const radios = elements.namedItem(question) as RadioNodeList;
    if (!radios.value) radios.value = answerTo(question) ?? '';
  }
  const name = elements.namedItem('name') as HTMLInputElement;
  if (!name.value) name.value = $map.get().name;
  touchOnce(island, questionsStep);
}

/** Whom to reach, in four tiles; then what matters and their name. Without answers the button skips them. */
export default function QuestionsForm({ text, action, signs }: Props) {
  const form = useRef<HTMLFormElement>(null);
  useOnHydrate(() => resume(form.current));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    goOn();
  };
  const cards = (question: Question) =>
    questions[question].map((answer) => (
      <RadioCard
        key={answer}
        name={question}
        value={answer}
        label={text[answer]}
        mark={<LineIcon path={signs[answer]} size={24} />}
      />
    ));
  return (
    <form
      ref={form}
      className={`stack gap-24 ${styles.form}`}
      method="post"
      action={action}
      onSubmit={submit}
    >
      <fieldset className={`${styles.question} ${styles.tiles}`}>
        <legend className="visually-hidden">{text.who}</legend>
        {cards('who')}
      </fieldset>
      <div className={`stack gap-24 ${styles.more}`}>
        <fieldset className={styles.question}>
          <legend className={`title-small strong ${styles.legend}`}>{text.matters}</legend>
          {cards('matters')}
        </fieldset>
        <Field id="name" label={text.name} error="" hint={<p className="note">{text.name_hint}</p>}>
          <TextInput
            id="name"
            error=""
            autoCapitalize="words"
            autoComplete="off"
            dir="auto"
            maxLength={20}
          />
        </Field>
      </div>
      <ContinueButton
        label={
          <>
            <span className={styles.skip}>{text.skip}</span>
            <span className={styles.go}>{text.continue}</span>
          </>
        }
      />
    </form>
  );
}
