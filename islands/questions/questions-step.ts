import type { PlainStep } from '../runtime/hydration/plain-step.ts';
import { navigate } from '../runtime/navigation/navigate.ts';
import { navigationHooks } from '../runtime/navigation/visit-hooks.ts';
import { answerTo, type Question, questions, setAnswer } from '../stores/answers.ts';

const all = Object.keys(questions) as Question[];

/** Long enough to see the choice, ms. */
const seenMs = 160;

export async function goOn(): Promise<void> {
  const answers = all.flatMap((question) => {
    const answer = answerTo(question);
    return answer ? [[question, answer]] : [];
  });
  if (answers.length > 0) navigationHooks.answered(Object.fromEntries(answers));
  await navigate();
}

export const questionsStep: PlainStep = {
  /** Stores each choice. A tap that answers the last question continues to the next screen; the arrow keys never do. */
  touch(island) {
    const choose = ({ name, value }: HTMLInputElement) => setAnswer(name, value);
    island.querySelectorAll<HTMLInputElement>(':checked, [name=name]').forEach(choose);
    let tapped = true;
    for (const type of ['pointerdown', 'keydown']) {
      island.addEventListener(type, () => {
        tapped = type === 'pointerdown';
      });
    }
    island.addEventListener('change', ({ target }) => {
      const isAnswer = choose(target as HTMLInputElement);
      if (isAnswer && tapped && all.every(answerTo)) setTimeout(goOn, seenMs);
    });
  },
  answer: () => goOn,
};
