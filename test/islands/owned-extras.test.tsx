import { expect, it } from 'vitest';
import OwnedExtras from '../../islands/owned-extras.tsx';
import { htmlOf, text } from './html.tsx';

it('claims nothing before the server said what was bought', () => {
  expect(htmlOf(<OwnedExtras text={text['owned-extras']} />)).toBe('');
});
