import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect, test } from 'vitest';
import { marketOf } from '../../../worker/catalog/rules/markets.ts';
import { bucketOf, pickVariant } from '../../../worker/experiments/rules/split.ts';
import { arms, cookieOf } from './experiment.ts';
import { keyAt, most } from './keys.ts';

/** The arm of a visitor with these cookies, where the arm cookie is used and where it is not. */
function armsOf(cookies: string) {
  const [, uuid = '', kept = ''] =
    /^userUuid=(\S+); visitorKey=\S+; arm=(\S+)$/.exec(cookies) ?? [];
  const drawn = pickVariant(arms, bucketOf('bench', uuid));
  return { drawn, kept: arms.find(({ key }) => decodeURIComponent(kept) === `bench:${key}`) };
}

test('edge bench: each arm has a test visitor, whom the split assigns to it', () => {
  for (const [at, arm] of arms.entries()) {
    expect(armsOf(cookieOf(at))).toEqual({ drawn: arm, kept: arm });
  }
});

test('edge bench: the Worker caches at least 10,000 different pages in all languages, and all are requested', () => {
  const keys = Array.from({ length: most }, (_, number) => {
    const { screen, arm, language, country } = keyAt(number);
    return [screen, armsOf(cookieOf(arm)).drawn?.key, language, marketOf(country).id].join('|');
  });
  expect(new Set(keys).size).toBe(most);
  expect(most).toBeGreaterThanOrEqual(10_000);
  const languagesInKeys = new Set(keys.map((key) => key.split('|')[2]));
  const languages = globSync('locales/*/errors.json').map((file) => basename(dirname(file)));
  expect([...languagesInKeys].sort()).toEqual(languages.sort());
});
