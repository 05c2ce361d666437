import type { PlainStep } from '../runtime/hydration/plain-step.ts';
import { looksLikePhone } from './dialled-digits.ts';
import { setPhone } from './entered-phone.ts';
import { formatNational } from './format-input.ts';
import { leaveNumber } from './leave-number.ts';

interface Entered {
  phone: string;
  country: string;
}

/** The number in a submitted form; null if its text is none. */
export function phoneIn(form: HTMLElement): Entered | null {
  const fields = new FormData(form as HTMLFormElement);
  const phone = String(fields.get('phone')).trim();
  return looksLikePhone(phone) ? { phone, country: String(fields.get('country')) } : null;
}

export function goOnWith({ phone, country }: Entered): Promise<void> {
  setPhone(phone, country);
  return leaveNumber();
}

export const phoneStep: PlainStep = {
  touch(island) {
    const input = island.querySelector('input');
    if (!input) return;
    formatNational(input, '');
    input.addEventListener('input', (event) => {
      const { inputType, isComposing } = event as InputEvent;
      if (!isComposing && !island.hasAttribute('live')) formatNational(input, inputType);
    });
  },
  answer(form) {
    // React explains what is wrong with any other text.
    const entered = phoneIn(form);
    return entered && (() => goOnWith(entered));
  },
};
