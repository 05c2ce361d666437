import { expect, it } from 'vitest';
import ConsentBanner from '../../islands/consent-banner.tsx';
import { htmlOf, text } from './html.tsx';

it('consent banner: is empty until the choice is known', () => {
  expect(
    htmlOf(<ConsentBanner text={text['consent-banner']} consentRequired cookiePolicy="/cookies" />),
  ).toBe('');
});
