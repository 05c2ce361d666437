import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Documents } from '../../../../worker/documents/document-set.ts';
import { configSet } from '../../../../worker/experiments/config-set.ts';
import { changedScreens } from '../../../../worker/experiments/rules/changed-screens.ts';
import { readDocuments } from '../../../../worker/experiments/rules/config-documents.ts';
import { mayMeet } from '../../../../worker/experiments/rules/experiment-review.ts';
import { pageLanguages } from '../../../../worker/experiments/rules/experiments-schema.ts';
import { screenIds } from '../../../../worker/experiments/rules/flows.ts';
import { arm, configText, texts } from '../../../scripts/config/command-context.ts';
import { experimentOf, written } from '../experiment-of.ts';

const offer = { plans: ['monthly'], upsell: 'upsell_monthly_799', guide: 'guide_1799' };
const full = { ...offer, plans: ['monthly', 'quarterly'] };
const config = configText([arm('fullPrice', 100)], {
  experiment: 'split',
  offers: { fullPrice: full, less: offer, guides: { ...full, guide: 'guide_899' } },
});
const documentsOf = (...experiments: object[]) => ({
  ...texts(config),
  'experiments.json': JSON.stringify({ experiments }),
});
function problemsOf(experiments: object[], live?: Documents) {
  const { errors, warnings } = configSet.problems(documentsOf(...experiments), live);
  return { errors, warnings: warnings.filter((line) => line.startsWith('experiments.json')) };
}

const key = 'screens.landing.one_pager.title';
const inAll = (own: Record<string, string>) =>
  Object.fromEntries(pageLanguages.map((language) => [language, own]));
const with_ = (changes: object, more: object = {}) => ({
  ...more,
  variants: [
    { key: 'control', weight: 50 },
    { key: 'b', weight: 50, changes },
  ],
});
const titles = { texts: inAll({ [key]: 'Know where they are.' }) };

test('experiments: the languages are those of the site', () => {
  const folders = readdirSync('locales', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'format')
    .map(({ name }) => name);
  expect([...pageLanguages].sort()).toEqual(folders.sort());
});

test('experiments: valid documents have no errors and no warnings', () => {
  const german = { targeting: { languages: ['de'] } };
  expect(
    problemsOf([
      written('headline', with_(titles)),
      written('german', with_({ texts: { de: { 'screens.signup.title': 'Konto' } } }, german)),
      written('price', with_({ offer: 'less' })),
      written('steps', with_({ flow: 'lp11ch8', theme: 'found' })),
      written('aa'),
    ]),
  ).toEqual({ errors: [], warnings: [] });
});

const at = 'experiments.json experiments.0';
test.each<[string, object, string]>([
  ['the split’s name', { id: 'split' }, `${at}.id: the split of config.json has this name`],
  ['an unknown flow', with_({ flow: 'nowhere' }), `${at}.variants.1.changes.flow: no flow nowhere`],
  [
    'a test flow',
    with_({ flow: 'stripe_test' }),
    `${at}.variants.1.changes.flow: no flow stripe_test`,
  ],
  ['an unknown offer', with_({ offer: 'none' }), `${at}.variants.1.changes.offer: no offer none`],
  ['an unknown theme', with_({ theme: 'none' }), `${at}.variants.1.changes.theme: not one of`],
  ['an unknown text', with_({ texts: inAll({ 'screens.no': 'x' }) }), 'no such key'],
  ['a text of an e-mail', with_({ texts: inAll({ 'mails.x': 'x' }) }), 'no such key'],
  [
    'a text of the consent banner',
    with_({ texts: inAll({ 'islands.consent-banner.text': 'x' }) }),
    'consent texts change only with a new version',
  ],
  [
    'a text of the terms',
    with_({ texts: inAll({ 'screens.checkout.consent': 'x' }) }),
    'a purchase stores this text',
  ],
  [
    'a text of no flow',
    with_({ texts: inAll({ 'screens.manage.title': 'x' }) }),
    'no screen of a flow shows this text',
  ],
  [
    'a broken placeholder',
    with_({ texts: inAll({ [key]: '{{nobody}}' }) }),
    'other placeholders or markup',
  ],
  ['an empty text', with_({ texts: inAll({ [key]: ' ' }) }), 'empty'],
  [
    'missing languages',
    with_({ texts: { en: { [key]: 'x' }, de: { [key]: 'x' } } }),
    `${key} is missing in ar, es, fr`,
  ],
  [
    'a missing language of the targeting',
    with_({ texts: { en: { [key]: 'x' } } }, { targeting: { languages: ['de', 'en'] } }),
    `${key} is missing in de, which`,
  ],
  [
    'a control that changes something',
    {
      variants: [
        { key: 'control', weight: 50, changes: { theme: 'found' } },
        { key: 'b', weight: 50 },
      ],
    },
    'the first variant is the control',
  ],
  [
    'wrong weights',
    {
      variants: [
        { key: 'control', weight: 50 },
        { key: 'b', weight: 40 },
      ],
    },
    'weights do not add up to 100',
  ],
  [
    'a variant twice',
    {
      variants: [
        { key: 'b', weight: 50 },
        { key: 'b', weight: 50 },
      ],
    },
    'names a variant twice',
  ],
  ['one variant', { variants: [{ key: 'b', weight: 100 }] }, 'fewer than two'],
  [
    'an end before the start',
    { starts: '2026-12-02T00:00:00Z', ends: '2026-12-01T00:00:00Z' },
    `${at}.ends: not after the start`,
  ],
  ['a time that is none', { starts: 'tomorrow' }, 'not a time'],
  ['an unknown winner', { winner: 'c' }, `${at}.winner: no variant c`],
  ['a country in words', { targeting: { countries: ['Germany'] } }, 'not a country such as DE'],
  ['an unknown source', { targeting: { sources: ['instagram'] } }, 'not one of meta'],
  ['an empty list', { targeting: { countries: [] } }, 'empty'],
  ['a share above 100', { share: 101 }, 'above 100'],
  ['a misspelled field', { targetting: {} }, 'targetting'],
  ['a name that is too long', { id: 'x'.repeat(33) }, 'up to 32 letters'],
])('experiments: %s is refused', (_, more, line) => {
  const { errors } = problemsOf([written('e', more)]);
  expect(errors.join('\n')).toContain(line);
  expect(configSet.isServed(documentsOf(written('e', more)))).toBe(false);
});

test('experiments: two of one name and more than 20 are refused', () => {
  expect(problemsOf([written('e'), written('e')]).errors.join()).toContain(
    'names an experiment twice',
  );
  const many = Array.from({ length: 21 }, (_, number) => written(`e${number}`));
  expect(problemsOf([...many]).errors.join()).toContain('more than 20');
});

test('experiments: the shares of a layer add up to at most 100', () => {
  const layer = (share: number) => ({ layer: 'l', share });
  expect(problemsOf([written('a', layer(60)), written('b', layer(40))]).errors).toEqual([]);
  expect(problemsOf([written('a', layer(60)), written('b', layer(40.01))]).errors).toEqual([
    'experiments.json experiments: the shares of layer l add up to more than 100',
  ]);
});

test('experiments: a screen has at most 64 versions; a layer’s experiments add up', () => {
  const seven = Array.from({ length: 7 }, (_, number) => number);
  const themes = (more: (number: number) => object) =>
    seven.map((number) => written(`e${number}`, { ...with_({ theme: 'found' }), ...more(number) }));
  expect(problemsOf([...themes(() => ({})).slice(0, 6)]).errors).toEqual([]);
  expect(problemsOf([...themes(() => ({}))]).errors[0]).toMatch(
    /^experiments\.json experiments: e0, .*, e6 make 128 versions of one_pager, over 64; put them in a layer$/,
  );
  expect(problemsOf([...themes(() => ({ layer: 'l', share: 10 }))]).errors).toEqual([]);
  expect(problemsOf([...themes((number) => (number ? {} : { winner: 'b' }))]).errors).toEqual([]);
});

const screensIn = (more: object) => [
  ...changedScreens(experimentOf('e', more), readDocuments(documentsOf())),
];
test('experiments: the screens that a change alters', () => {
  expect(screensIn(with_(titles))).toEqual(['one_pager']);
  expect(screensIn(with_({ theme: 'found' }))).toEqual([...screenIds]);
  expect(screensIn({})).toEqual([...screenIds]);
  expect(screensIn(with_({ offer: 'guides' }))).toEqual(['upsell_guide']);
  const byOffer = screensIn(with_({ offer: 'less' }));
  expect(byOffer).toContain('checkout_v3_tr');
  expect(byOffer).toContain('one_pager');
  expect(byOffer).not.toContain('signup');
  expect(byOffer).not.toContain('upsell_guide');
  expect(screensIn(with_({ flow: 'default' }))).toEqual([]);
  expect(screensIn(with_({ flow: 'lp11ch8' }))).toContain('signup');
});

const overlap = (one: object, other: object) =>
  problemsOf([
    written('one', { ...with_(titles), ...one }),
    written('other', { ...with_(titles), ...other }),
  ]).warnings;

test.each<[string, object, object, boolean]>([
  ['everybody', {}, {}, true],
  [
    'other countries',
    { targeting: { countries: ['DE'] } },
    { targeting: { countries: ['US'] } },
    false,
  ],
  [
    'a common country',
    { targeting: { countries: ['DE', 'US'] } },
    { targeting: { countries: ['US'] } },
    true,
  ],
  [
    'other languages',
    { targeting: { languages: ['de'] } },
    { targeting: { languages: ['en'] } },
    false,
  ],
  [
    'new and returning',
    { targeting: { visitors: 'new' } },
    { targeting: { visitors: 'returning' } },
    false,
  ],
  ['one layer', { layer: 'l', share: 50 }, { layer: 'l', share: 50 }, false],
  ['other layers', { layer: 'l' }, { layer: 'm' }, true],
  [
    'one after the other',
    { ends: '2026-12-01T00:00:00Z' },
    { starts: '2026-12-01T00:00:00Z' },
    false,
  ],
  ['one has ended', { winner: 'b' }, {}, false],
])(
  'experiments: of two that change the same text, with %s, a publisher is told: %s %s %s',
  (_, one, other, isTold) => {
    expect(overlap(one, other)).toEqual(
      isTold
        ? [
            `experiments.json experiments: one and other change the same part (${key}); put them in a layer, so that no visitor is in both`,
          ]
        : [],
    );
    if (!('winner' in one))
      expect(mayMeet(experimentOf('one', one), experimentOf('other', other))).toBe(isTold);
  },
);

test('experiments: a publisher is told that a running experiment is disturbed', () => {
  const live = documentsOf(written('e', with_(titles)));
  const warningsFor = (...next: object[]) => problemsOf(next, live).warnings;
  expect(warningsFor(written('e', with_(titles, { hypothesis: 'x' })))).toEqual([]);
  expect(warningsFor()).toEqual([
    'experiments.json experiments: e is removed without a winner; its visitors get what everybody gets',
  ]);
  expect(warningsFor(written('e', with_({ theme: 'found' })))).toEqual([
    'experiments.json experiments: e goes on with other variants; its results mix the old and the new ones',
  ]);
});

test('experiments: the review says what changes, in words', () => {
  const before = documentsOf(written('e', with_(titles)));
  const after = documentsOf(
    written(
      'e',
      with_({ theme: 'found' }, { share: 20, targeting: { countries: ['DE'], visitors: 'new' } }),
    ),
    written('f', with_({ texts: inAll({ [key]: 'x' }) })),
  );
  const lines = configSet.differences(before, after);
  expect(lines).toContain('experiment e: targeting everybody → countries DE; visitors new');
  expect(lines).toContain('experiment e: share 100 → 20');
  expect(lines).toContainEqual(
    expect.stringMatching(/^experiment e: b changes ar screens.*→ theme found$/),
  );
  expect(lines).toContainEqual(
    expect.stringMatching(/^experiment f: added, hypothesis It sells more; /),
  );
  expect(configSet.differences(after, before)).toContainEqual(
    expect.stringMatching(/^experiment f: removed, had /),
  );
});

const minute = 60_000;
const period = (from: number, more: object = {}) => ({
  ...{ share: 5, version: '20261130-101530-123', texts: '20261128-090000-000' },
  starts: new Date(Date.now() + from * minute).toISOString(),
  ends: new Date(Date.now() + 60 * minute).toISOString(),
  ...more,
});
const withHoldout = (holdout?: object) => ({
  ...documentsOf(),
  'experiments.json': JSON.stringify({ experiments: [], holdout }),
});
const holdoutLines = (next: Documents, live: Documents) => {
  const { errors, warnings } = configSet.problems(next, live);
  return [...errors, ...warnings].flatMap((line) => line.split('experiments.json ')[1] ?? []);
};

test.each<[string, object, string]>([
  ['a share above 100', { share: 101 }, 'holdout.share: above 100'],
  [
    'an end before the start',
    { ends: '2020-01-01T00:00:00Z' },
    'holdout.ends: not after the start',
  ],
  ['a time that is none', { starts: 'soon' }, 'holdout.starts: not a time'],
])('holdout: refused with %s', (_name, more, line) => {
  const [first] = holdoutLines(withHoldout(period(-1, more)), documentsOf());
  expect(first).toContain(line);
});

test('holdout: while it runs only its end may change; before, everything; removing it warns', () => {
  const later = new Date(Date.now() + 90 * minute).toISOString();
  const changes = { share: 6, version: '20261130-101530-999', texts: undefined, starts: later };
  const running = period(-1);
  for (const [field, value] of Object.entries(changes)) {
    const ends = new Date(Date.now() + 120 * minute).toISOString();
    const moved = { ...running, [field]: value, ends };
    expect(holdoutLines(withHoldout(moved), withHoldout(running))).toEqual([
      `holdout.${field}: changes while the holdout runs, which would move visitors`,
    ]);
    const waiting = period(5);
    expect(
      holdoutLines(withHoldout({ ...waiting, [field]: value, ends }), withHoldout(waiting)),
    ).toEqual([]);
  }
  expect(holdoutLines(withHoldout({ ...running, ends: later }), withHoldout(running))).toEqual([]);
  const [removed] = holdoutLines(withHoldout(), withHoldout(running));
  expect(removed).toContain('holdout: it is removed');
});

test('holdout: a review names what changes', () => {
  const waiting = period(5);
  const lines = configSet.differences(
    withHoldout(waiting),
    withHoldout({ ...waiting, share: 6, texts: undefined }),
  );
  expect(lines.join()).toMatch(/holdout.*share 5 → 6.*texts 20261128-090000-000 → built-in/);
});
