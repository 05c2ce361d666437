import { expect, it } from 'vitest';
import { Signup } from '../../screens/signup.tsx';
import { htmlOf, page, props, wordsOf } from './page.tsx';

const signup = (more: Partial<typeof page>) =>
  htmlOf(<Signup {...props} page={{ ...page, ...more }} reviews={false} />);

it('offers Google after the e-mail and before what is accepted', () => {
  const html = signup({ test: false });
  const places = ['name="email-form"', 'name="google-button"', 'By continuing'].map((part) =>
    html.indexOf(part),
  );
  expect(places.every((place) => place > 0)).toBe(true);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(html).toMatch(/<x-island name="google-button"[^>]*when="idle"/);
});

it('in production without a client id there is neither button nor divider', () => {
  const html = signup({ google: '', test: false });
  expect(html).not.toMatch(/google/i);
  expect(wordsOf(html)).not.toMatch(/\bor\b/);
});

it('outside production the button is there to say what is missing', () => {
  expect(signup({ google: '', test: true })).toContain('Continue with Google');
});

it('draws an invitation that nobody has sent yet', () => {
  const [picture = ''] = signup({}).match(/<div[^>]*data-scene="pin".*?<\/svg>/s) ?? [];
  expect(wordsOf(picture)).toContain('Nobody is contacted yet.');
  expect(wordsOf(picture)).not.toMatch(/\b(her|his|waiting)\b/i);
});
