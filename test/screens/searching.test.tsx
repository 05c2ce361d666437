import { expect, it } from 'vitest';
import type en from '../../locales/en/screens.json';
import type { IslandText } from '../../locales/index.ts';
import { Scene } from '../../screens/scene/scene.tsx';
import { Searching } from '../../screens/searching.tsx';
import { htmlOf, page, props, wordsOf } from './page-fixture.tsx';

const html = htmlOf(<Searching {...props} meter="line" alerts={false} />);

it('searching: reserves space for all texts of heading and picture', () => {
  const heading = /<h1[^>]*>.*?<\/h1>/.exec(html)?.[0];
  const picture = /data-scene="ring".*/.exec(html)?.[0];
  expect(heading).toContain('data-later="Checking the number"><span>Checking the number</span>');
  expect(picture).toContain('>Checking the number<');
  expect(picture).toContain('>Number checked<');
});

const screens = import.meta.glob<typeof en>('../../locales/*/screens.json', {
  eager: true,
  import: 'default',
});
const islands = import.meta.glob<IslandText>('../../locales/*/islands.json', {
  eager: true,
  import: 'default',
});

it.each(Object.keys(screens))('searching: the island keeps the heading of %s', (file) => {
  const { label } = islands[file.replace('screens', 'islands')]?.['search-progress'] ?? {};
  expect(screens[file]?.searching.title).toBe(label);
});

const spaced = (html: string) => wordsOf(html).replace(/\s/g, ' ');
const lockScreen = (language: string) =>
  spaced(htmlOf(<Scene t={props.t} language={language} state="alerts" />));

it.each([
  ['en', /8:12 AM.*3:41 PM.*4:05 PM/],
  ['de', /8:12.*15:41.*16:05/],
])('searching: the example day shows times of day as usual in %s', (language, times) => {
  const screen = <Searching {...props} page={{ ...page, language }} meter="small" alerts />;
  expect(spaced(htmlOf(screen))).toMatch(times);
});

it('scene: a lock screen has neither AM nor PM', () => {
  expect(lockScreen('en')).toMatch(/(^| )4:05 (?!PM)/);
  expect(lockScreen('de')).toContain('16:05');
});
