import { expect, it } from 'vitest';
import ConsentBanner from '../../islands/consent-banner.tsx';
import { htmlOf, text } from './html.tsx';

it('says nothing before it knows what was chosen', () => {
  expect(htmlOf(<ConsentBanner text={text['consent-banner']} asks more="/cookies" />)).toBe('');
});
