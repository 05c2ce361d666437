import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cardsFolder } from '../../../scripts/build/link-cards.ts';
import { brands } from '../../../worker/content/rules/themes.ts';
import { languages } from '../../locales/flat-texts.ts';
import needsBuild from '../../needs-build.ts';

needsBuild();

test.each(Object.keys(brands))(
  'link cards: %s has one of 1200 by 630 in each language',
  (theme) => {
    const cards = languages.map((language) => {
      const png = readFileSync(`dist/client${cardsFolder()}/${theme}-${language}.png`);
      return { size: [png.readUInt32BE(16), png.readUInt32BE(20)], small: png.length < 120_000 };
    });
    expect(cards).toEqual(languages.map(() => ({ size: [1200, 630], small: true })));
  },
);
