import { env } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import { textSet } from '../../../../worker/console/publishing/live-texts.ts';
import { namespaceKv } from '../../../../worker/documents/kv.ts';
import { fingerprintOf, readLive } from '../../../../worker/documents/live-documents.ts';
import { request } from '../../request.ts';
import { asRole, hiddenFields, open, send } from '../console-client.ts';

const key = 'screens.common.terms';
const edit = `/console/texts/edit?key=${key}`;

beforeEach(async () => {
  for (const { name } of (await env.FUNNEL.list()).keys) await env.FUNNEL.delete(name);
  await env.DB.batch([
    env.DB.prepare('DELETE FROM config_publications'),
    env.DB.prepare('DELETE FROM text_confirmations'),
    env.DB.prepare('DELETE FROM audit'),
  ]);
});
type Visitor = Awaited<ReturnType<typeof asRole>>;
const read = async (path: string, visit: Visitor) => (await open(path, visit)).text();
const review = async (visit: Visitor, base: string, texts: [string, string][], of = key) =>
  send(
    '/console/texts/review',
    [['base', base], ['key', of], ...texts.map(([tag, text]) => [`text.${tag}`, text])],
    visit,
  );
const publish = (visit: Visitor, html: string, reason = 'a test') => {
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const fields = hidden.map(([, name = '', value = '']) => [name, value]);
  return send('/console/texts/publish', [...fields, ['reason', reason]], visit);
};
const live = () => readLive(namespaceKv(env.FUNNEL), textSet);
const nothing = fingerprintOf({});

test('console texts: a text is found by its words, changed in a language, and published with a diff', async () => {
  const marketer = await asRole('marketer');
  expect(await read('/console/texts?q=Terms', marketer)).toContain(`key=${key}`);
  const { base = '' } = hiddenFields(await read(edit, marketer));
  const reviewed = await (await review(marketer, base, [['en', 'Our terms']])).text();
  expect(reviewed).toMatch(/<del>Terms<\/del>.*<ins>Our terms<\/ins>/s);
  expect(reviewed).toMatch(/13 translations become outdated.*Arabic, German, .*Ukrainian/);
  const published = await publish(marketer, reviewed, 'clearer');
  const location = published.headers.get('location') ?? '';
  expect(await read(location, marketer)).toContain('<a href="/one_pager">Open the page</a>');
  const { documents, version } = await live();
  expect(documents['en.json']).toContain('Our terms');
  const row = await env.DB.prepare('SELECT * FROM audit').first();
  expect(row).toMatchObject({
    action: 'publish',
    target: 'content',
    reason: 'clearer',
    result: `published ${version}`,
  });
  const page = await read(edit, marketer);
  expect(page).toContain('>Our terms</textarea>');
  expect(await read('/console/texts', marketer)).toContain('changed: en');
});

test('console texts: a published translation links to the page in its language', async () => {
  const marketer = await asRole('marketer');
  const { base = '' } = hiddenFields(await read(edit, marketer));
  const reviewed = await (await review(marketer, base, [['de', 'Bedingungen']])).text();
  const { headers } = await publish(marketer, reviewed, 'better');
  const html = await read(headers.get('location') ?? '', marketer);
  const [, frame = ''] = /<a href="([^"]*)">Open the page/.exec(html) ?? [];
  expect(frame).toMatch(/^\/one_pager\?frame=/);
  expect(await read(frame, marketer)).toContain('<html lang="de"');
});

test('console texts: a screen is shown in the chosen language', async () => {
  const marketer = await asRole('marketer');
  const html = await read('/console/texts?screen=one_pager&lng=fr', marketer);
  expect(html).toContain('<option value="fr" selected="">French</option>');
  const [, frame = ''] = /(\/one_pager\?frame=[^"]*)"/.exec(html) ?? [];
  expect(await read(frame, marketer)).toContain('<html lang="fr"');
});

test('console texts: the texts of a screen are filtered by words in any language', async () => {
  const marketer = await asRole('marketer');
  const html = await read('/console/texts?screen=one_pager&q=alles+gut', marketer);
  const keys = [...html.matchAll(/edit\?key=([^"]+)"/g)].map(([, found]) => found);
  expect(keys).toContain('screens.landing.one_pager.title');
  expect(keys.length).toBeLessThan(5);
  expect(html).toContain('<iframe src="/one_pager?frame=');
});

test('console texts: an outdated translation is confirmed until English changes again', async () => {
  const marketer = await asRole('marketer');
  const change = async (texts: [string, string][]) => {
    const { base = '' } = hiddenFields(await read(edit, marketer));
    await publish(marketer, await (await review(marketer, base, texts)).text());
  };
  const outdated = async () =>
    /outdated: ([^<;]*)/.exec(await read(`/console/texts?q=${key}`, marketer))?.[1] ?? '';
  await change([
    ['en', 'Our terms'],
    ['fr', 'Nos conditions'],
  ]);
  expect(await outdated()).toMatch(/de.*nl/);
  expect(await outdated()).not.toContain('fr');
  const hidden = hiddenFields(await read(edit, marketer));
  const fields = [...Object.entries(hidden), ['text.it', 'typed'], ['confirm', 'de']];
  const confirmed = await (await send('/console/texts/confirm', fields, marketer)).text();
  expect(confirmed).toContain('>typed</textarea>');
  expect(await outdated()).not.toMatch(/de|fr/);
  expect(await outdated()).toContain('it');
  const row = await env.DB.prepare("SELECT * FROM audit WHERE action = 'confirm_text'").first();
  expect(row).toMatchObject({
    operator: 'marketer@example.com',
    target: `de ${key}`,
    details: JSON.stringify({ english: 'Our terms' }),
    result: 'confirmed',
  });
  await change([['en', 'The terms']]);
  expect(await outdated()).toMatch(/de.*fr.*it/);
  await change([['en', '']]);
  expect(await outdated()).toBe('fr');
});

test('console texts: a review shows the page with the new text before it is published', async () => {
  const marketer = await asRole('marketer');
  const title = 'screens.landing.one_pager.title';
  const sent: [string, string][] = [
    ['en', 'See that they are OK.'],
    ['de', 'Seht, dass es gut geht.'],
  ];
  const html = await (await review(marketer, nothing, sent, title)).text();
  const frames = [...html.matchAll(/<iframe src="([^"]+)"/g)].map(([, address = '']) => address);
  expect(frames).toHaveLength(2);
  for (const [at, [, words]] of sent.entries()) {
    const framed = await (await request(`https://funnel.example${frames[at]}`)).text();
    expect(framed).toContain(words);
  }
  expect((await live()).version).toBeNull();
  expect(await (await request('https://funnel.example/one_pager')).text()).not.toContain(
    'See that',
  );
});

test('console texts: Back from the review opens the form with the input', async () => {
  const marketer = await asRole('marketer');
  const html = await (await review(marketer, nothing, [['en', 'Typed by me']])).text();
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const fields = hidden.map(([, name = '', value = '']) => [name, value]);
  expect(html).toContain('formAction="/console/texts/edit"');
  const back = await send('/console/texts/edit', fields, marketer);
  expect(await back.text()).toContain('>Typed by me</textarea>');
});

test('console texts: without a search the screens are listed, landings first', async () => {
  const viewer = await asRole('viewer');
  const start = await read('/console/texts', viewer);
  const screens = [...start.matchAll(/texts\?screen=(\w+)"/g)].map(([, id]) => id);
  expect(screens.slice(0, 2)).toEqual(['one_pager', 'one_pager_all']);
  expect(start).toContain('href="/console/preview"');
  const page = await read('/console/texts?screen=upsell_an_private', viewer);
  expect(page).toContain('key=screens.upsell.an_private.title');
  expect(page).toMatch(/<iframe src="\/upsell_an_private\?frame=/);
});

test('console texts: a text that loses a placeholder is refused at its field', async () => {
  const marketer = await asRole('marketer');
  const withPlaceholder = 'screens.common.preview';
  const refused = await review(marketer, nothing, [['en', 'Look: {{variant}}']], withPlaceholder);
  expect(refused.status).toBe(422);
  const html = await refused.text();
  expect(html).toContain('Look: {{variant}}');
  expect(html).toContain('other placeholders or markup');
  expect((await live()).version).toBeNull();
});

test('console texts: the second of two editors sees and keeps the first one’s change', async () => {
  const [one, two] = [await asRole('marketer'), await asRole('owner')];
  const first = await (await review(one, nothing, [['en', 'One']])).text();
  const second = await (
    await review(two, nothing, [['en', 'Two']], 'screens.common.privacy')
  ).text();
  expect((await publish(one, first)).status).toBe(303);
  const conflict = await publish(two, second);
  expect(conflict.status).toBe(409);
  const again = await conflict.text();
  expect(again).toContain('marketer@example.com published another version at');
  expect(again).toContain('en.json screens.common.terms: built-in');
  expect((await publish(two, again)).status).toBe(303);
  expect(JSON.parse((await live()).documents['en.json'] ?? '')).toEqual({
    [key]: 'One',
    'screens.common.privacy': 'Two',
  });
});

test('console texts: a rollback to the built-in texts, and to a version', async () => {
  const marketer = await asRole('marketer');
  const changed = await (await review(marketer, nothing, [['en', 'Mine']])).text();
  await publish(marketer, changed);
  const { version: mine } = await live();
  const backTo = async (version: string) => {
    const html = await (
      await send('/console/texts/review', [['version', version]], marketer)
    ).text();
    return publish(marketer, html);
  };
  expect((await backTo('built-in')).status).toBe(303);
  expect((await live()).documents).toEqual({});
  expect((await backTo(String(mine))).status).toBe(303);
  expect(Object.keys((await live()).documents)).toEqual(['en.json']);
  expect(await read('/console/texts/versions', marketer)).toContain('live');
});

test('console texts: hostile texts are escaped', async () => {
  const marketer = await asRole('marketer');
  const html = await (
    await review(marketer, nothing, [['en', '"><script>alert(1)</script>']])
  ).text();
  expect(html).not.toContain('<script>alert');
});

test.each(['viewer', 'operator'] as const)(
  'console texts: a %s sees a disabled form',
  async (role) => {
    expect(await read(edit, await asRole(role))).toContain('disabled');
  },
);

test('console texts: a note says when an external service provides them', async () => {
  const viewer = await asRole('viewer');
  const more = { ...viewer.more, CONTENT_URL: 'https://content.example' };
  expect((await open('/console/texts', { ...viewer, more })).status).toBe(404);
});
