import { useRef, useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import { isEmail } from './parts/is-email.ts';
import { MailLogin } from './parts/mail-login.tsx';
import { useSending } from './runtime/use-sending.ts';
import { useWake } from './runtime/use-wake.ts';
import { comeBackHere } from './stores/come-back.ts';
import { askMailLink } from './stores/mail-link.ts';
import { $signup, giveEmail } from './stores/signup.ts';

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
