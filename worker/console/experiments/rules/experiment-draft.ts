import type { Experiment } from '../../../experiments/rules/experiments-schema.ts';
import { recordOf } from '../../../platform/keys.ts';
import { objectIn } from '../../../platform/read-json.ts';
import { timeIn, timeZoneOf } from '../../parts/rules/time-zone.ts';

const targetLists = [
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

export interface Draft {
  /** Empty for a new experiment. */
  id: string;
  hypothesis: string;
  targeting: Readonly<Record<(typeof targetLists)[number], readonly string[]>>;
  visitors: string;
  share: number;
  layer: string;
  starts: string;
  ends: string;
  metric: string;
  secondary: readonly string[];
  learned: string;
  /** The first one is the control. */
  variants: readonly DraftVariant[];
}

const unchanged = { flow: '', offer: '', theme: '', texts: {} };

/** Two equal variants, of which the second one changes this text. */
export const newDraft = (textKey: string): Draft => ({
  ...{ id: '', hypothesis: '', visitors: '', share: 100, layer: '', starts: '', ends: '' },
  ...{ metric: 'purchases', secondary: [], learned: '' },
  targeting: recordOf(targetLists, () => []),
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
    targeting: recordOf(targetLists, (name) => targeting[name] ?? []),
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
      ...recordOf(targetLists, all),
      campaigns: [...new Set(campaigns.map((one) => one.trim()).filter(Boolean))],
    },
    // Without a share a variant is removed.
    variants: fields.getAll('key').flatMap((key, at) => {
      const [weight, flow, offer, theme] = ['weight', 'flow', 'offer', 'theme'].map((name) =>
        text(`${name}.${at}`),
      );
      if (!weight && at > 1) return [];
      const changes = { flow: flow ?? '', offer: offer ?? '', theme: theme ?? '' };
      return { key, weight: Number(weight), ...changes, texts: textsIn(fields, at) };
    }),
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

/** Of at most 32 letters, digits and `-`: the beginning of the hypothesis. @param taken names in use */
export function idFor(hypothesis: string, taken: readonly string[]): string {
  const words = hypothesis.normalize('NFD').toLowerCase().replace(/\p{M}/gu, '');
  const [name = 'test'] = /[a-z\d].{0,26}[a-z\d]/.exec(words.replace(/[^a-z\d]+/g, '-')) ?? [];
  const others = Array.from(taken, (_, at) => `${name}-${at + 2}`);
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
  const lists = recordOf(targetLists, (name) => some(targeting[name]));
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

/** A button of the form: `variant`, or `text 1` with the key of `add.1`. */
export function stepped(draft: Draft, fields: URLSearchParams): Draft {
  const [step, place] = (fields.get('step') ?? '').split(' ');
  const { variants } = draft;
  const key = [...variantNames].find((one) => !variants.some((own) => own.key === one));
  if (step === 'variant' && key)
    return { ...draft, variants: evenly([...variants, { ...unchanged, key, weight: 0 }]) };
  const added = step === 'text' && fields.get(`add.${place}`);
  if (!added) return draft;
  const withKey = ({ texts, ...others }: DraftVariant) => ({
    ...others,
    texts: { ...texts, en: { [added]: '', ...texts.en } },
  });
  return {
    ...draft,
    variants: variants.map((variant, at) => (at === Number(place) ? withKey(variant) : variant)),
  };
}
