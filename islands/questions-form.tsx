import { type FormEvent, useRef } from 'react';
import type { IslandText } from '../locales/index.ts';
import { goOn, questionsStep } from './questions/questions-step.ts';
import styles from './questions-form.module.css';
import { touchOnce } from './runtime/hydration/plain-step.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { answerTo, type ChosenAnswer, type Question, questions } from './stores/answers.ts';
import { ContinueButton } from './ui/continue-button.tsx';
import { LineIcon } from './ui/line-icon.tsx';
import { RadioCard } from './ui/radio-card.tsx';

interface Props {
  text: IslandText['questions-form'];
  action: string;
  signs: Readonly<Record<ChosenAnswer, string>>;
}

/** Two questions answered by one tap each. Without answers the button skips them. */
export default function QuestionsForm({ text, action, signs }: Props) {
  const form = useRef<HTMLFormElement>(null);
  useOnHydrate(() => {
    const island = form.current?.closest('x-island');
    if (!form.current || !island) return;
    for (const question of Object.keys(questions) as Question[]) {
      const radios = form.current.elements.namedItem(question) as RadioNodeList;
      if (!radios.value) radios.value = answerTo(question) ?? '';
    }
    touchOnce(island, questionsStep);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    goOn();
  };
  const legends = { who: text.who, matters: text.matters };
  return (
    <form
      ref={form}
      className={`stack gap-24 ${styles.form}`}
      method="post"
      action={action}
      onSubmit={submit}
    >
      {(Object.keys(questions) as Question[]).map((question) => (
        <fieldset key={question} className={styles.question}>
          <legend className={`title-small strong ${styles.legend}`}>{legends[question]}</legend>
          {questions[question].map((answer) => (
            <RadioCard
              key={answer}
              name={question}
              value={answer}
              label={text[answer]}
              mark={<LineIcon path={signs[answer]} size={24} />}
            />
          ))}
        </fieldset>
      ))}
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
