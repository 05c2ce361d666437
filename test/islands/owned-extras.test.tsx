import { expect, it } from 'vitest';
import OwnedExtras from '../../islands/owned-extras.tsx';
import { htmlOf, text } from './html.tsx';

it('owned extras: is empty until the purchases load', () => {
  expect(htmlOf(<OwnedExtras text={text['owned-extras']} />)).toBe('');
});
