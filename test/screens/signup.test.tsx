import { expect, it } from 'vitest';
import { Signup } from '../../screens/signup.tsx';
import { htmlOf, page, props, wordsOf } from './page-fixture.tsx';

const signup = (more: Partial<typeof page>) =>
  htmlOf(<Signup {...props} page={{ ...page, ...more }} reviews={false} />);

it('sign-up: Google is between the e-mail and the terms', () => {
  const html = signup({ isTestMode: false });
  const places = ['name="email-form"', 'name="google-button"', 'By continuing'].map((part) =>
    html.indexOf(part),
  );
  expect(places.every((place) => place > 0)).toBe(true);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(html).toMatch(/<x-island name="google-button"[^>]*when="idle"/);
});

it('sign-up: production without a client id has no Google button', () => {
  const html = signup({ googleClientId: '', isTestMode: false });
  expect(html).not.toMatch(/google/i);
  expect(wordsOf(html)).not.toMatch(/\bor\b/);
});

it('sign-up: outside production the button explains the missing client id', () => {
  expect(signup({ googleClientId: '', isTestMode: true })).toContain('Continue with Google');
});

it('sign-up: shows an unsent example invitation', () => {
  const [picture = ''] = signup({}).match(/<div[^>]*data-scene="pin".*?<\/svg>/s) ?? [];
  expect(wordsOf(picture)).toContain('Nobody has been contacted yet.');
  expect(wordsOf(picture)).not.toMatch(/\b(her|his|waiting)\b/i);
});
