import { hydrateNow } from '../runtime/hydration/chunks.ts';
import { type PlainStep, propsOf, withSpinner } from '../runtime/hydration/plain-step.ts';
import { navigate } from '../runtime/navigation/navigate.ts';
import { refuseEmail, setEmail } from '../stores/signup.ts';
import { isEmail } from './is-email.ts';
import { type SignUpTexts, signUp } from './sign-up.ts';
import { loadTypoChecker, suggestionFor } from './typo-checker.ts';

export const emailStep: PlainStep = {
  touch: () => void loadTypoChecker(),
  answer(target, island) {
    if (target.localName !== 'form') return null;
    const email = String(new FormData(target as HTMLFormElement).get('email')).trim();
    if (!isEmail(email) || suggestionFor(email)) return null;
    return async () => {
      setEmail(email, true);
      const { text } = propsOf<{ text: SignUpTexts }>(island);
      const refusal = await withSpinner(target, signUp(email, text));
      if (refusal === null) return navigate();
      refuseEmail(email, refusal);
      hydrateNow(island);
    };
  },
};
