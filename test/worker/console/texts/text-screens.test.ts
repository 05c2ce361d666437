import { env } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import { flatTexts } from '../../../../worker/content/rules/flat-texts.ts';
import { ownTexts } from '../../../../worker/content/translations.ts';
import { createPreview } from '../../../../worker/experiments/preview.ts';
import { screenIds } from '../../../../worker/experiments/rules/flows.ts';
import { screensWith } from '../../../../worker/experiments/rules/text-screens.ts';
import { captureLogEvents } from '../../payments/payments-fixture.ts';
import { request } from '../../request.ts';

beforeEach(captureLogEvents);
const visible = (html: string) =>
  html
    .replace(/^.*<body/s, '<body')
    .replace(/<(title|template|style)\b.*?<\/\1>/gs, '')
    // The last sentence of a lead stands in an element of its own.
    .replace(/(?<=[.。] ?)<span class="[^"]*">([^<]*)<\/span>/g, '$1')
    .split(/<[^>]*>/)
    .map((part) => part.replaceAll('&#x27;', "'").replaceAll('&amp;', '&').trim())
    .filter(Boolean);

const framed = async (screen: string, more = {}) => {
  const preview = { arm: 'fullPrice', country: 'US', lng: 'en', framed: true, ...more };
  const token = await createPreview(env.FUNNEL as never, preview, 60);
  return (await request(`https://funnel.example/${screen}?frame=${token}`)).text();
};

test.each(screenIds.map((id) => [id]))(
  'console texts: every text that %s shows is listed for it',
  async (screen) => {
    const shown = new Set(visible(await framed(screen)));
    const texts = flatTexts(ownTexts('en') ?? {});
    const keysOf = Map.groupBy(Object.keys(texts), (key) => texts[key] ?? '');
    const found = [...shown].filter((words) => words.length >= 4 && keysOf.has(words));
    expect(found.length).toBeGreaterThan(3);
    const unlisted = found.filter(
      (words) => !keysOf.get(words)?.some((key) => screensWith(key).includes(screen)),
    );
    expect(unlisted).toEqual([]);
  },
);

test.each([
  ['upsell_an_private', 'screens.upsell.an_private.title'],
  ['success', 'screens.success.title'],
])(
  'console preview: %s shows its own texts instead of the message for a missing purchase',
  async (screen, key) => {
    const html = await framed(screen);
    expect(html).toContain(flatTexts(ownTexts('en') ?? {})[key]);
    expect(html).not.toContain('data-need="checkout.isSuccess"');
  },
);

test('console preview: a page shows unpublished texts, and visitors do not get them', async () => {
  const texts = { 'screens.landing.one_pager.title': 'See that they are OK.' };
  expect(await framed('one_pager', { texts })).toContain('See that they are OK.');
  expect(await framed('one_pager')).not.toContain('See that they are OK.');
});
