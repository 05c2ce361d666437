import { expect, it } from 'vitest';
import { Searching } from '../../screens/searching.tsx';
import { htmlOf, props } from './page.tsx';

const html = htmlOf(<Searching {...props} meter="line" alerts={false} />);

it('searching: reserves space for both texts of heading and picture', () => {
  const heading = /<h1[^>]*>.*?<\/h1>/.exec(html)?.[0];
  const picture = /data-scene="ring".*/.exec(html)?.[0];
  expect(heading).toContain('data-later="Number checked"><span>Checking the number</span>');
  expect(picture).toContain('>Checking the number<');
  expect(picture).toContain('>Number checked<');
});
