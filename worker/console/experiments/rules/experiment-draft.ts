import type { Experiment } from '../../../experiments/rules/experiments-schema.ts';
import { objectIn } from '../../../platform/read-json.ts';
import { timeIn, timeZoneOf } from '../../parts/rules/time-zone.ts';

export const targetLists = [
  'countries',
  'languages',
  'devices',
  'platforms',
  'sources',
  'placements',
  'campaigns',
] as const;

export interface DraftVariant {
  key: string;
  weight: number;
  /** Empty for what visitors have without the experiment. */
  flow: string;
  offer: string;
  theme: string;
  /** By language, then by key. A text that is empty in each language is left out. */
  texts: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** What the form of an experiment contains. Empty parts are left out of the document. */
export interface Draft {
  /** Empty for a new experiment. */
  id: string;
  hypothesis: string;
  targeting: Readonly<Record<(typeof targetLists)[number], readonly string[]>>;
  visitors: string;
  share: number;
  layer: string;
  /** ISO 8601. */
  starts: string;
  ends: string;
  metric: string;
  secondary: readonly string[];
  learned: string;
  /** The first one is the control. */
  variants: readonly DraftVariant[];
}

const listsOf = (of: (name: (typeof targetLists)[number]) => readonly string[]) =>
  ({
    countries: of('countries'),
    languages: of('languages'),
    devices: of('devices'),
    platforms: of('platforms'),
    sources: of('sources'),
    placements: of('placements'),
    campaigns: of('campaigns'),
  }) satisfies Draft['targeting'];

const unchanged = { flow: '', offer: '', theme: '', texts: {} };

/** Two equal variants, of which the second one changes this text. */
export const newDraft = (textKey: string): Draft => ({
  ...{ id: '', hypothesis: '', visitors: '', share: 100, layer: '', starts: '', ends: '' },
  ...{ metric: 'purchases', secondary: [], learned: '' },
  targeting: listsOf(() => []),
  variants: [
    { ...unchanged, key: 'control', weight: 50 },
    { ...unchanged, key: 'b', weight: 50, texts: textKey ? { en: { [textKey]: '' } } : {} },
  ],
});

export const draftOf = (experiment: Experiment): Draft => {
  const { targeting, layer = '', starts = '', ends = '', secondary = [] } = experiment;
  const { id, hypothesis, share, metric, learned = '' } = experiment;
  return {
    ...{ id, hypothesis, share, metric, layer, starts, ends, secondary, learned },
    visitors: targeting.visitors ?? '',
    targeting: listsOf((name) => targeting[name] ?? []),
    variants: experiment.variants.map(({ key, weight, changes }) => ({
      ...{ ...unchanged, ...changes },
      key,
      weight,
    })),
  };
};

const textName = /^text\.(\d+)\.([\w-]+)\.([\w.-]+)$/;

function textsIn(fields: URLSearchParams, index: number): DraftVariant['texts'] {
  const texts: Record<string, Record<string, string>> = {};
  for (const [name, typed] of fields) {
    const [, at, language = '', key = ''] = textName.exec(name) ?? [];
    if (Number(at ?? -1) !== index) continue;
    texts[language] = { ...texts[language], [key]: typed.replaceAll('\r\n', '\n').trim() };
  }
  return texts;
}

/** ISO 8601; what is no time stays as typed, so that the check names it. */
function timeOf(typed: string, zone: string): string {
  const time = timeIn(typed, zone);
  return Number.isNaN(time) ? typed : new Date(time).toISOString();
}

export function draftIn(fields: URLSearchParams): Draft {
  const text = (name: string) => fields.get(name)?.trim() ?? '';
  const all = (name: string) => [...new Set(fields.getAll(name).filter(Boolean))];
  const zone = timeZoneOf(text('zone'));
  const campaigns = text('campaigns').split(',');
  return {
    ...{ id: text('id'), hypothesis: text('hypothesis'), layer: text('layer') },
    ...{ metric: text('metric'), learned: text('learned'), visitors: text('visitors') },
    share: Number(text('share') || 100),
    starts: timeOf(text('starts'), zone),
    ends: timeOf(text('ends'), zone),
    secondary: all('secondary').filter((name) => name !== text('metric')),
    targeting: {
      ...listsOf(all),
      campaigns: [...new Set(campaigns.map((one) => one.trim()).filter(Boolean))],
    },
    variants: fields.getAll('key').map((key, at) => ({
      ...{ key, weight: Number(text(`weight.${at}`)), texts: textsIn(fields, at) },
      ...{ flow: text(`flow.${at}`), offer: text(`offer.${at}`), theme: text(`theme.${at}`) },
    })),
  };
}

const filled = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).filter(([, text]) => text !== '');

/** What a variant changes, as in the document: in the languages that the targeting admits. */
function changesOf({ flow, offer, theme, texts }: DraftVariant, languages: readonly string[]) {
  const admitted = Object.entries(texts).filter(
    ([language, own]) =>
      filled(own).length > 0 && (languages.length === 0 || languages.includes(language)),
  );
  return {
    ...(flow && { flow }),
    ...(offer && { offer }),
    ...(theme && { theme }),
    ...(admitted.length > 0 && {
      texts: Object.fromEntries(
        admitted.map(([language, own]) => [language, Object.fromEntries(filled(own))]),
      ),
    }),
  };
}

interface Written {
  id?: string;
  variants?: { key?: string; stopped?: unknown }[];
}

const listed = (text: string | null | undefined): Written[] => {
  const { experiments } = objectIn(text) ?? {};
  return Array.isArray(experiments) ? experiments : [];
};

/** Of at most 32 letters, digits and `-`: the first words of the hypothesis. @param taken names in use */
export function idFor(hypothesis: string, taken: readonly string[]): string {
  const words = hypothesis
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z\d]+/g);
  let name = '';
  for (const word of words ?? ['test']) {
    const longer = name ? `${name}-${word}` : word;
    if (longer.length > 28) break;
    name = longer;
  }
  name ||= 'test';
  const others = Array.from({ length: taken.length }, (_, at) => `${name}-${at + 2}`);
  return [name, ...others].find((each) => !taken.includes(each)) ?? name;
}

const some = <Value>(values: readonly Value[]) => (values.length > 0 ? values : undefined);

/** `experiments.json` with a draft, which needs an id, and its place there. Undefined fields do not reach the JSON. */
export function withDraft(
  document: string | null | undefined,
  draft: Draft,
): { text: string; index: number } {
  const experiments = listed(document);
  const known = experiments.findIndex(({ id }) => id === draft.id);
  const index = known === -1 ? experiments.length : known;
  const { id, hypothesis, share, metric, targeting, variants } = draft;
  const lists = Object.fromEntries(targetLists.map((name) => [name, some(targeting[name])]));
  const before = experiments[index]?.variants ?? [];
  const own = variants.map((variant) => ({
    key: variant.key,
    weight: variant.weight,
    // An arm that a guardrail stopped stays stopped until somebody gives it a share.
    stopped:
      variant.weight === 0 ? before.find(({ key }) => key === variant.key)?.stopped : undefined,
    changes: changesOf(variant, targeting.languages),
  }));
  const written = {
    ...experiments[index],
    ...{ id, hypothesis, targeting: { ...lists, visitors: draft.visitors || undefined } },
    share,
    layer: draft.layer || undefined,
    starts: draft.starts || undefined,
    ends: draft.ends || undefined,
    metric,
    secondary: some(draft.secondary),
    learned: draft.learned || undefined,
    variants: own.map(({ changes, ...variant }) =>
      Object.keys(changes).length > 0 ? { ...variant, changes } : variant,
    ),
  };
  const all = experiments.toSpliced(index, 1, written);
  return { text: JSON.stringify({ ...objectIn(document), experiments: all }, null, 2), index };
}

export const draftKeys = ({ texts }: DraftVariant): string[] => [
  ...new Set(Object.values(texts).flatMap((own) => Object.keys(own))),
];

const variantNames = 'bcdef';

/** Equal weights that add up to 100; the control gets the rest. */
const evenly = (variants: readonly DraftVariant[]): DraftVariant[] => {
  const weight = Math.floor(100 / variants.length);
  return variants.map((variant, at) => ({
    ...variant,
    weight: at === 0 ? 100 - weight * (variants.length - 1) : weight,
  }));
};

const changed = (
  draft: Draft,
  index: number,
  change: (texts: DraftVariant['texts']) => DraftVariant['texts'],
): Draft => ({
  ...draft,
  variants: draft.variants.map((variant, at) =>
    at === index ? { ...variant, texts: change(variant.texts) } : variant,
  ),
});

/** A button of the form: `variant`, `remove 2`, `text 1` with the key of `add.1`, or `drop 1 <key>`. */
export function stepped(draft: Draft, fields: URLSearchParams): Draft {
  const [step, place = '', key = ''] = (fields.get('step') ?? '').split(' ');
  const at = Number(place);
  const { variants } = draft;
  switch (step) {
    case 'variant': {
      const name = [...variantNames].find((one) => !variants.some((own) => own.key === one));
      const added = { ...unchanged, key: name ?? '', weight: 0 };
      return name ? { ...draft, variants: evenly([...variants, added]) } : draft;
    }
    case 'remove':
      return { ...draft, variants: evenly(variants.filter((_, index) => index !== at)) };
    case 'text': {
      const added = fields.get(`add.${at}`) ?? '';
      return added
        ? changed(draft, at, (texts) => ({ ...texts, en: { [added]: '', ...texts.en } }))
        : draft;
    }
    case 'drop':
      return changed(draft, at, (texts) =>
        Object.fromEntries(
          Object.entries(texts).map(([language, { [key]: _, ...others }]) => [language, others]),
        ),
      );
    default:
      return draft;
  }
}
