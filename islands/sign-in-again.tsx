import { useRef, useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import { isEmail } from './account/is-email.ts';
import { RequestSignInLink } from './account/request-sign-in-link.tsx';
import { rememberReturnPage } from './account/return-page.ts';
import { requestSignInLink } from './account/sign-in-link.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { $signup, setEmail } from './stores/signup.ts';
import { useRequestState } from './ui/use-request-state.ts';

/**
 * Shown to a signed-out visitor on a page that needs an account: e-mails a link back to this page.
 */
export default function SignInAgain({ text }: { text: IslandText['sign-in-again'] }) {
  const [error, setError] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const [mailing, mail] = useRequestState(() => {
    rememberReturnPage();
    return requestSignInLink({ email: $signup.get().email });
  });
  useOnHydrate(() => {
    const input = box.current?.querySelector('input');
    if (input && !input.value) input.value = $signup.get().email;
  });
  const ask = (email: string) => {
    setError(isEmail(email) ? '' : text.invalid);
    if (!isEmail(email)) return;
    setEmail(email, true);
    mail();
  };
  return (
    <div ref={box}>
      <RequestSignInLink
        text={text}
        id="sign-in"
        email=""
        error={error}
        state={mailing}
        onSubmit={ask}
      />
    </div>
  );
}
