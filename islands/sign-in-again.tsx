import { useRef, useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import { isEmail } from './account/is-email.ts';
import { askMailLink } from './account/mail-link.ts';
import { MailLogin } from './account/request-sign-in-link.tsx';
import { comeBackHere } from './account/return-page.ts';
import { useWake } from './runtime/hydration/use-on-hydrate.ts';
import { $signup, giveEmail } from './stores/signup.ts';
import { useSending } from './ui/use-request-state.ts';

/** For who was signed out, on a page that needs an account: mails a link that leads back to it. */
export default function SignInAgain({ text }: { text: IslandText['sign-in-again'] }) {
  const [error, setError] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const [mailing, mail] = useSending(() => {
    comeBackHere();
    return askMailLink({ email: $signup.get().email });
  });
  useWake(() => {
    const input = box.current?.querySelector('input');
    if (input && !input.value) input.value = $signup.get().email;
  });
  const ask = (email: string) => {
    setError(isEmail(email) ? '' : text.invalid);
    if (!isEmail(email)) return;
    giveEmail(email, true);
    mail();
  };
  return (
    <div ref={box}>
      <MailLogin text={text} id="sign-in" email="" error={error} state={mailing} onAsk={ask} />
    </div>
  );
}
