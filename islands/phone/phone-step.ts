import { digitsOf } from '../../locales/format/plain-text.ts';
import type { PlainStep } from '../runtime/hydration/plain-step.ts';
import { setPhone } from './entered-phone.ts';
import { formatNational } from './format-input.ts';
import { leaveNumber } from './leave-number.ts';
import { isPhoneText } from './phone-parse.ts';

export function goOnWith(typedPhone: string, country: string): Promise<void> {
  setPhone(typedPhone, country);
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
    const fields = new FormData(form as HTMLFormElement);
    const typedPhone = String(fields.get('phone')).trim();
    // React explains what is wrong with any other text.
    return isPhoneText(typedPhone) && digitsOf(typedPhone)[3]
      ? () => goOnWith(typedPhone, String(fields.get('country')))
      : null;
  },
};
