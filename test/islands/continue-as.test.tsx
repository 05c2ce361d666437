import { expect, it } from 'vitest';
import { ContinueAs } from '../../islands/parts/continue-as.tsx';
import { htmlOf, text, wordsOf } from './html.tsx';

const ask = (signedInAs: string | null) =>
  wordsOf(
    htmlOf(
      <ContinueAs
        text={text['sign-in-link']}
        email="p…@example.org"
        signedInAs={signedInAs}
        onContinue={() => {}}
        back="/"
      />,
    ),
  ).replace(/[\u2066\u2069]/g, '');

it('names the account that a link opens, and asks', () => {
  expect(ask(null)).toBe('Continue as p…@example.org? Continue This is not my account');
});

it('tells who is signed in here already', () => {
  expect(ask('m…@example.net')).toMatch(
    /^This browser is signed in as m…@example\.net\. Continue as/,
  );
});
