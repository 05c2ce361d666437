import { expect, it } from 'vitest';
import BoughtExtras from '../../islands/owned-extras.tsx';
import { htmlOf, text } from './html.tsx';

it('claims nothing before the server said what was bought', () => {
  expect(htmlOf(<BoughtExtras text={text['bought-extras']} />)).toBe('');
});
