import { expect, it } from 'vitest';
import { ContinueAs } from '../../../islands/account/continue-as.tsx';
import { htmlOf, text, wordsOf } from '../render-html.tsx';

const render = (signedInAs: string | null, email = 'p…@example.org') =>
  wordsOf(
    htmlOf(
      <ContinueAs
        text={text['sign-in-link']}
        email={email}
        signedInAs={signedInAs}
        onContinue={() => {}}
        restartHref="/"
      />,
    ),
  );
const read = (signedInAs: string | null) => render(signedInAs).replace(/[\u2060\u2066\u2069]/g, '');

it('sign-in link: asks before it opens the named account', () => {
  expect(read(null)).toBe('Continue as p…@example.org? Continue This is not my account');
});

it('sign-in link: names the account that is currently signed in', () => {
  expect(read('m…@example.net')).toMatch(
    /^This browser is signed in as m…@example\.net\. Continue as/,
  );
});

it('sign-in link: keeps a masked address on one line', () => {
  const shown = render('m…@example.net', 'p…@my-mail.example');
  expect(shown).toContain('m…\u2060@example.net');
  expect(shown).toContain('p…\u2060@my-\u2060mail.example');
});
