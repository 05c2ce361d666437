import { chunks } from 'virtual:client';
import languages from 'virtual:languages';
import type { Context } from 'hono';
import { brands } from '../../content/rules/themes.ts';
import type { Documents } from '../../documents/document-set.ts';
import { namespaceKv } from '../../documents/kv.ts';
import { contentOf } from '../../documents/live-documents.ts';
import { siteOrigin } from '../../email/enqueue-email.ts';
import { configSet } from '../../experiments/config-set.ts';
import { createPreview, isPreviewToken, type Preview } from '../../experiments/preview.ts';
import { changedScreens } from '../../experiments/rules/changed-screens.ts';
import { type Configuration, readDocuments } from '../../experiments/rules/config-documents.ts';
import type { Experiment } from '../../experiments/rules/experiments-schema.ts';
import { isScreenId } from '../../experiments/rules/flows.ts';
import { type App, isProduction } from '../../platform/env.ts';
import { typedKeys } from '../../platform/keys.ts';
import { withChanges } from '../experiments/rules/changed-config.ts';
import { changedVariant, formOf } from '../experiments/rules/experiment-form.ts';
import { consolePage, consoleRefusal } from '../parts/console-response.tsx';
import { readForm } from '../parts/form-fields.ts';
import { shownCountry } from '../parts/shown-country.ts';
import { textIn } from '../prices/live-prices.ts';
import { fieldsOf, type Origin, originIn, sentDocuments } from '../publishing/config-change.tsx';
import { liveTexts, publishedIn } from '../publishing/live-texts.ts';
import { liveConfig } from '../publishing/publish-documents.ts';
import { PreviewPage } from './screens/preview.tsx';

const themes = typedKeys(brands);
const languageTags = ['en', ...Object.keys(languages).filter((tag) => tag !== 'en')];
const frameSeconds = 60 * 60;

const oneOf = (known: readonly string[], wanted: string | null | undefined) =>
  known.find((each) => each === wanted) ?? known[0] ?? '';

const phoneLink = (c: Context<App>, screen: string, token: string) =>
  `${siteOrigin(c.env, c.req.url)}/${screen}?preview=${token}`;

/** A preview's link as a QR code, which opens it on a phone. */
export async function showQrCode(c: Context<App>): Promise<Response> {
  const { screen = '', token = '' } = c.req.query();
  if (!isScreenId(screen) || !isPreviewToken(token)) {
    return consoleRefusal(c, 404, 'Not found', 'There is no such preview.');
  }
  const { qrCode } = await import('../../accounts/qr-code.ts');
  return c.body(qrCode(phoneLink(c, screen, token)), 200, {
    'content-type': 'image/svg+xml',
    'cache-control': 'private, max-age=3600',
  });
}

/** What a preview shows of one variant. */
interface Subject {
  preview: Pick<Preview, 'arm' | 'documents' | 'theme' | 'texts'>;
  screens: readonly string[];
}

interface Subjects {
  keys: readonly string[];
  /** Empty for the split. */
  experiment: string;
  lngs: readonly string[];
  country?: string | undefined;
  subjectOf: (key: string, lng: string) => Subject;
}

const flowOf = ({ flows }: Configuration, name: string): readonly string[] => flows.get(name) ?? [];

function ofSplit(configuration: Configuration, documents: Documents): Subjects {
  const { variants } = configuration;
  return {
    keys: variants.map(({ key }) => key),
    experiment: '',
    lngs: languageTags,
    subjectOf: (arm) => ({
      preview: { arm, documents },
      screens: flowOf(configuration, variants.find(({ key }) => key === arm)?.flow ?? ''),
    }),
  };
}

/** The screens that the experiment changes, in the variant of the split that most visitors get. */
async function ofExperiment(
  c: Context<App>,
  experiment: Experiment,
  configuration: Configuration,
  documents: Documents,
): Promise<Subjects> {
  const { targeting, variants } = experiment;
  const [most] = configuration.variants.toSorted((one, other) => other.weight - one.weight);
  const arm = most?.key ?? '';
  const changed = changedScreens(experiment, configuration);
  const { live } = await liveTexts(c);
  return {
    keys: variants.map(({ key }) => key),
    experiment: experiment.id,
    lngs: targeting.languages ?? languageTags,
    country: targeting.countries?.[0],
    subjectOf(key, lng) {
      const { flow, theme, texts, ...changes } =
        variants.find((each) => each.key === key)?.changes ?? {};
      const config = withChanges(textIn(documents, 'config.json'), [arm], { ...changes, flow });
      const screens = flowOf(configuration, flow ?? most?.flow ?? '');
      const own = screens.filter((screen) => changed.has(screen));
      return {
        preview: {
          arm,
          documents: { ...documents, 'config.json': config },
          texts: { ...publishedIn(live.documents[`${lng}.json`]), ...texts?.[lng] },
          ...(theme && { theme }),
        },
        screens: own.length > 0 ? own : changed.size > 0 ? [...changed] : screens,
      };
    },
  };
}

const none: Subjects = {
  keys: [],
  experiment: '',
  lngs: languageTags,
  subjectOf: () => ({ preview: { arm: '' }, screens: [] }),
};

async function subjectsIn(c: Context<App>, texts: Documents, id: string | null): Promise<Subjects> {
  if (!configSet.isServed(texts)) return none;
  const configuration = readDocuments(texts, isProduction(c.env));
  const found = configuration.experiments.find((each) => each.id === id);
  return found ? ofExperiment(c, found, configuration, texts) : ofSplit(configuration, texts);
}

interface PreviewedDraft extends Origin {
  /** The version that the editor started from. */
  base: string;
  changed: string | undefined;
}

/** @param draft of unpublished documents; null for the live ones */
async function previewPage(
  c: Context<App>,
  texts: Documents,
  query: URLSearchParams,
  draft: PreviewedDraft | null,
): Promise<Response> {
  const id = draft?.from === 'experiment' ? draft.flow : query.get('experiment');
  const { keys, experiment, lngs, ...own } = await subjectsIn(c, texts, id);
  const changed = draft?.changed ?? (experiment ? keys[1] : undefined);
  const country = shownCountry(c, query.get('country') ?? own.country);
  const chosen = {
    variant: oneOf(keys, query.get('variant') ?? changed),
    beside: keys.find((key) => key === (query.get('beside') ?? (changed && keys[0]))) ?? '',
    country,
    lng: oneOf(lngs, query.get('lng')),
    theme: oneOf(themes, query.get('theme')),
  };
  const kv = namespaceKv(c.env.FUNNEL);
  const shown = await Promise.all(
    [...new Set([chosen.variant, chosen.beside])].filter(Boolean).map(async (variant) => {
      const { preview, screens } = own.subjectOf(variant, chosen.lng);
      const options = { country, lng: chosen.lng, theme: chosen.theme, ...preview, framed: true };
      const token = await createPreview(kv, options, frameSeconds);
      const screen = screens[0] ?? '';
      return {
        variant,
        link: phoneLink(c, screen, token),
        qrCode: `/console/preview/qr.svg?${new URLSearchParams({ screen, token })}`,
        screens: screens.map((id) => ({ id, address: `/${id}?frame=${token}` })),
      };
    }),
  );
  const invalid = 'These documents are not valid, so there is nothing to show.';
  return consolePage(
    c,
    <PreviewPage
      problem={keys.length > 0 ? '' : invalid}
      variants={keys}
      experiment={experiment}
      chosen={chosen}
      languages={lngs}
      themes={themes}
      shown={shown}
      script={chunks['console-preview'] ?? ''}
      draft={draft && { ...fieldsOf(texts), base: draft.base, from: draft.from, flow: draft.flow }}
    />,
  );
}

export async function showPreview(c: Context<App>): Promise<Response> {
  const live = await liveConfig(c);
  return previewPage(c, live.documents, new URLSearchParams(c.req.query()), null);
}

export async function showDraft(c: Context<App>): Promise<Response> {
  const fields = await readForm(c);
  const live = await liveConfig(c);
  const next = sentDocuments(fields, live.documents);
  if (contentOf(next) === contentOf(live.documents)) return previewPage(c, next, fields, null);
  const changed = changedVariant(formOf(live.documents).variants, formOf(next).variants);
  const base = fields.get('base') ?? '';
  return previewPage(c, next, fields, { ...originIn(fields), base, changed });
}
