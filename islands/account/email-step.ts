import { typedEmail } from '../../locales/format/typed-code.ts';
import { hydrateNow } from '../runtime/hydration/chunks.ts';
import { pageData } from '../runtime/hydration/page-data.ts';
import { type PlainStep, propsOf } from '../runtime/hydration/plain-step.ts';
import { pageAt, savesData } from '../runtime/navigation/fetch-page.ts';
import { prerenderNext } from '../runtime/navigation/prerender-page.ts';
import { $signup, refuseEmail, setEmail } from '../stores/signup.ts';
import { isEmail } from './is-email.ts';
import { type SignupTexts, signUpAndGoOn } from './signup.ts';
import { loadTypoChecker } from './typo-checker.ts';

/** The first paint of the checkout waits for its fonts, so they enter the cache while the visitor types. */
async function fetchNextFonts() {
  const { next } = pageData();
  const page = next && !savesData() ? await pageAt(next) : null;
  const fonts = page?.querySelector<HTMLScriptElement>('script[data-faces]');
  if (fonts) await fetch(fonts.src);
}

export function storeEmail(typed: string): string {
  const email = typedEmail(typed);
  setEmail(email, isEmail(email));
  return email;
}

export const emailStep: PlainStep = {
  touch() {
    prerenderNext();
    void loadTypoChecker();
    fetchNextFonts().catch(() => {}); // The next page loads them itself.
  },
  answer(target, island) {
    if (target.localName !== 'form') return null;
    const typed = String(new FormData(target as HTMLFormElement).get('email'));
    // The island fills an empty field with the stored address.
    if (!typed.trim()) return null;
    const email = storeEmail(typed);
    if (!$signup.get().emailValidity) return null;
    return async () => {
      const { text } = propsOf<{ text: SignupTexts }>(island);
      const button = target.querySelector('#continue-button');
      button?.setAttribute('aria-busy', 'true');
      const refusal = await signUpAndGoOn(email, text);
      button?.removeAttribute('aria-busy');
      if (refusal === null) return;
      refuseEmail(email, refusal);
      hydrateNow(island);
    };
  },
};
