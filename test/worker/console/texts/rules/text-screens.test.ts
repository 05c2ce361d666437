import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keysOn } from '../../../../../worker/console/texts/rules/text-screens.ts';
import { screenIds } from '../../../../../worker/experiments/rules/flows.ts';
import { screensWith } from '../../../../../worker/experiments/rules/text-screens.ts';

test('console texts: a text that is named after a screen is shown there only, others on all of its group', () => {
  expect(screensWith('screens.upsell.an_private.title')).toEqual(['upsell_an_private']);
  const shared = screensWith('screens.upsell.price.month');
  expect(shared.length).toBeGreaterThan(1);
  expect(shared.every((id) => id.startsWith('upsell'))).toBe(true);
  expect(screensWith('screens.features.title')).toContain('features');
  expect(screensWith('emails.receipt.title')).toEqual([]);
});

test('console texts: a screen’s list begins with its own texts, and names a page’s before its islands’', () => {
  const keys = ['islands.toast.a', 'islands.search.a', 'screens.common.a', 'screens.searching.a'];
  const some = fc.shuffledSubarray([...keys, 'screens.common.b', 'islands.invited.a']);
  fc.assert(
    fc.property(some, fc.constantFrom(...screenIds), (listed, screen) => {
      const found = keysOn(screen, listed);
      expect(new Set(found)).toEqual(
        new Set(listed.filter((key) => screensWith(key).includes(screen))),
      );
      for (const [at, key] of found.slice(1).entries()) {
        const before = found[at] ?? '';
        const [wider, narrower] = [screensWith(key).length, screensWith(before).length];
        expect(narrower).toBeLessThanOrEqual(wider);
        if (narrower < wider) continue;
        const isIsland = (one: string) => one.startsWith('islands.');
        expect(Number(isIsland(before))).toBeLessThanOrEqual(Number(isIsland(key)));
        // Texts of one kind stay in the order of English.
        if (isIsland(before) === isIsland(key)) {
          expect(listed.indexOf(before)).toBeLessThan(listed.indexOf(key));
        }
      }
    }),
  );
});
