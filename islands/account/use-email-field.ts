import { type FocusEvent, useRef, useState } from 'react';
import { interpolate } from '../../locales/format/interpolate.ts';
import { typedEmail } from '../../locales/format/typed-code.ts';
import type { IslandText } from '../../locales/index.ts';
import { useOnHydrate } from '../runtime/hydration/use-on-hydrate.ts';
import { announce } from '../runtime/navigation/announce.ts';
import { $refusedEmail, $signup } from '../stores/signup.ts';
import { storeEmail } from './email-step.ts';
import { loadTypoChecker, suggestionFor } from './typo-checker.ts';

/** Nobody is corrected in the middle of a word. */
const typingPauseMs = 800;

/** The field's text, which the store follows, with what is wrong with it and what may be meant. */
export function useEmailField(text: IslandText['email-form']) {
  const [error, setError] = useState('');
  const [typed, setTyped] = useState('');
  const [suggested, setSuggested] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const value = () => typedEmail(input.current?.value ?? '');

  useOnHydrate(() => {
    if (input.current && !input.current.value) input.current.value = $signup.get().email;
    setTyped(value() === $signup.get().email ? value() : storeEmail(value()));
    // The event that triggered hydration was the field's focus.
    if (document.activeElement === input.current) void loadTypoChecker().then(suggestCorrection);
    return $refusedEmail.subscribe((refused) => {
      if (!refused) return;
      replace(refused.email);
      setError(refused.message);
      $refusedEmail.set(null);
    });
  });

  /** Offers a corrected address. It never holds Continue, because the visitor may be right. */
  const suggestCorrection = () => {
    const correction = suggestionFor(value());
    if (!correction) return;
    setSuggested(correction);
    announce(interpolate(text.suggestion, { email: correction }));
  };
  const changed = () => {
    setError('');
    setSuggested('');
    setTyped(storeEmail(value()));
    clearTimeout(pause.current);
    pause.current = setTimeout(suggestCorrection, typingPauseMs);
  };
  const replace = (email: string) => {
    if (!input.current || !email) return;
    input.current.value = email;
    changed();
    input.current.focus();
  };
  const blur = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget?.closest('[data-shortcut]')) return;
    const email = storeEmail(value());
    if (!email) return;
    if ($signup.get().emailValidity) void loadTypoChecker().then(suggestCorrection);
    else setError(text.email_error_message_invalid);
  };
  return {
    ...{ error, setError, typed, suggested, value, replace },
    props: { ref: input, error, onFocus: loadTypoChecker, onBlur: blur, onInput: changed },
    focus: () => input.current?.focus(),
  };
}
