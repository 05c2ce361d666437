import { expect, it } from 'vitest';
import { ExampleDay } from '../../screens/parts/example-day.tsx';
import { Scene } from '../../screens/scene/scene.tsx';
import { htmlOf, page, props, wordsOf } from './page.tsx';

const { t } = props;
const day = (language: string) =>
  wordsOf(htmlOf(<ExampleDay page={{ ...page, language }} t={t} />)).replace(/\s/g, ' ');
const scene = (language: string) =>
  wordsOf(htmlOf(<Scene t={t} language={language} state="alerts" />)).replace(/\s/g, ' ');

it('time of day: English has AM and PM', () => {
  expect(day('en')).toMatch(/8:12 AM.*3:41 PM.*4:05 PM/);
});

it('time of day: German has 24 hours', () => {
  expect(day('de')).toMatch(/8:12.*15:41.*16:05/);
  expect(scene('de')).toContain('16:05');
});

it('time of day: a lock screen has neither AM nor PM', () => {
  expect(scene('en')).toMatch(/(^| )4:05 (?!PM)/);
});
