import { expect, it } from 'vitest';
import ManualCode from '../../islands/manual-code.tsx';
import { htmlOf, text, wordsOf } from './html.tsx';

it('manual code: reserves its box and shows the conditions before the code', () => {
  const html = htmlOf(<ManualCode text={text['manual-code']} />);
  expect(wordsOf(html)).toBe(`${text['manual-code'].label} ${text['manual-code'].note}`);
  expect(html).toMatch(/<span[^>]* dir="ltr"><\/span>/);
});
