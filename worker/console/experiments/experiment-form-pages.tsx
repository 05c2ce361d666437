import type { Context } from 'hono';
import type { Language } from '../../../locales/index.ts';
import { languageDirection } from '../../content/language-files.ts';
import { brands } from '../../content/rules/themes.ts';
import type { Documents } from '../../documents/document-set.ts';
import { configSet } from '../../experiments/config-set.ts';
import { type Configuration, readDocuments } from '../../experiments/rules/config-documents.ts';
import { refusalOf } from '../../experiments/rules/experiment-checks.ts';
import { isScreenId, isTestScreen, screenIds } from '../../experiments/rules/flows.ts';
import { screensWith } from '../../experiments/rules/text-screens.ts';
import { networks, placements } from '../../http/rules/traffic.ts';
import { type App, isProduction } from '../../platform/env.ts';
import { fieldProblems } from '../documents/rules/field-problems.ts';
import { consolePage, consoleRefusal } from '../parts/console-response.tsx';
import { readForm } from '../parts/form-fields.ts';
import { screenName } from '../parts/rules/screen-names.ts';
import { served } from '../prices/live-prices.ts';
import { returnedDraft, reviewDocuments } from '../publishing/config-change.tsx';
import { type LiveTexts, liveTexts } from '../publishing/live-texts.ts';
import { liveConfig } from '../publishing/publish-documents.ts';
import { keysOn, sectionOf } from '../texts/rules/text-screens.ts';
import { shownText } from '../texts/rules/texts.ts';
import { estimateLines } from './experiment-figures.ts';
import { flowsOf } from './experiments-pages.tsx';
import {
  type Draft,
  draftIn,
  draftKeys,
  draftOf,
  idFor,
  newDraft,
  stepped,
  withDraft,
} from './rules/experiment-draft.ts';
import { metricNames } from './rules/results.ts';
import { ExperimentForm, type ExperimentFormProps } from './screens/experiment-form.tsx';

const maxWords = 90;

/** The first screen of most new visitors. */
function firstScreen({ variants, flows }: Configuration): string {
  const [most] = variants.toSorted((one, other) => other.weight - one.weight);
  return flows.get(most?.flow ?? '')?.[0] ?? 'one_pager';
}

const changeable = (screen: string, { english }: LiveTexts) =>
  keysOn(screen, Object.keys(english.builtIn)).filter(
    (key) => refusalOf(key, english.builtIn[key] ?? '', 'en') === null,
  );

interface Shown {
  draft: Draft;
  base: string;
  documents: Documents;
  problems?: Readonly<Record<string, string>>;
  others?: string[];
  /** The screen whose texts are offered, by the index of the variant. */
  screens?: (index: number) => string | null;
}

function textsOf(
  texts: LiveTexts,
  { draft, problems = {}, screens }: Shown,
  first: string,
): ExperimentFormProps['texts'] {
  const { languages, english } = texts;
  const own = languages.find(({ tag }) => tag === draft.targeting.languages[0]) ?? english;
  return draft.variants.map((variant, index) => {
    const wanted = screens?.(index) ?? '';
    const screen = isScreenId(wanted) ? wanted : first;
    const path = `variants.${index}.changes.texts`;
    const [missing = ''] = Object.entries(problems).flatMap(([at, text]) =>
      at === path ? text : [],
    );
    return {
      screen,
      screens: screenIds.filter((id) => !isTestScreen(id)),
      choices: changeable(screen, texts).map((key) => {
        const words = shownText(key, own, english);
        const short = words.length > maxWords ? `${words.slice(0, maxWords)}…` : words;
        return { key, text: `${sectionOf(key)}: ${short}` };
      }),
      changed: draftKeys(variant).map((key) => ({
        key,
        where: screensWith(key).slice(0, 3).map(screenName).join(', '),
        problem: missing.startsWith(`${key} `) ? `It ${missing.slice(key.length + 1)}.` : undefined,
        wordings: languages.map((one) => ({
          tag: one.tag,
          direction: languageDirection(one.tag as Language),
          now: shownText(key, one, english),
          text: variant.texts[one.tag]?.[key] ?? '',
          problem: problems[`${path}.${one.tag}.${key}`],
        })),
      })),
    };
  });
}

async function formPage(c: Context<App>, shown: Shown): Promise<Response> {
  const { draft, base, documents, problems = {}, others = [] } = shown;
  const texts = await liveTexts(c);
  const configuration = readDocuments(served(documents), isProduction(c.env));
  const isWrong = others.length + Object.keys(problems).length > 0;
  return consolePage(
    c,
    <ExperimentForm
      {...{ draft, base, problems, others }}
      choices={{
        ...{ networks, placements, metrics: metricNames, themes: Object.keys(brands) },
        languages: texts.languages.map(({ tag }) => tag),
      }}
      flows={flowsOf(documents, isProduction(c.env))}
      offers={[...configuration.offers.keys()]}
      texts={textsOf(texts, shown, firstScreen(configuration))}
      estimates={await estimateLines(c.env.ANALYTICS, documents, c.var.log, draft)}
    />,
    isWrong ? 422 : 200,
  );
}

const experimentsIn = (c: Context<App>, documents: Documents) =>
  readDocuments(served(documents), isProduction(c.env)).experiments;

const notFound = (c: Context<App>) =>
  consoleRefusal(c, 404, 'Not found', 'There is no such experiment.');

/** A new experiment, or one of the document. */
export async function editExperiment(c: Context<App>): Promise<Response> {
  const { documents, fingerprint: base } = await liveConfig(c);
  const id = c.req.query('id');
  const known = experimentsIn(c, documents).find((each) => each.id === id);
  if (id !== undefined && !known) return notFound(c);
  if (known) return formPage(c, { draft: draftOf(known), base, documents });
  const screen = firstScreen(readDocuments(served(documents), isProduction(c.env)));
  const title = changeable(screen, await liveTexts(c)).find((key) => /\btitle$/.test(key));
  return formPage(c, { draft: newDraft(title ?? ''), base, documents });
}

const sentFrom = async (c: Context<App>) => {
  const fields = await readForm(c);
  const { documents } = await liveConfig(c);
  const screens = (index: number) => fields.get(`screen.${index}`);
  return { fields, documents, screens, draft: draftIn(fields), base: fields.get('base') ?? '' };
};

/** A button of the form changed the draft. */
export async function stepExperiment(c: Context<App>): Promise<Response> {
  const { fields, draft, ...sent } = await sentFrom(c);
  return formPage(c, { ...sent, draft: stepped(draft, fields) });
}

/** The live documents with the draft, and what is wrong with it. */
function nextOf(c: Context<App>, documents: Documents, draft: Draft) {
  const { experiment, experiments } = readDocuments(served(documents), isProduction(c.env));
  const taken = [experiment, ...experiments.map(({ id }) => id)];
  const id = draft.id || idFor(draft.hypothesis, taken);
  const { text, index } = withDraft(documents['experiments.json'], { ...draft, id });
  const next = { ...documents, 'experiments.json': text };
  const found = fieldProblems(
    configSet.problems(next, documents).errors,
    `experiments.json experiments.${index}.`,
  );
  const { placements, sources } = draft.targeting;
  const beside: Record<string, string> = {
    ...found.beside,
    ...(placements.length > 0 &&
      sources.length > 0 && {
        'targeting.placements': 'Tick only these, or only networks.',
      }),
  };
  const written = JSON.parse(text).experiments[index];
  for (const [at, { changes }] of written.variants.entries()) {
    if (at > 0 && !changes)
      beside[`variants.${at}.changes`] = 'Change a text, flow, offer or theme.';
  }
  return { id, next, problems: beside, others: found.others };
}

export async function reviewExperiment(c: Context<App>): Promise<Response> {
  const { fields: _, ...sent } = await sentFrom(c);
  const { id, next, ...found } = nextOf(c, sent.documents, sent.draft);
  if (found.others.length + Object.keys(found.problems).length > 0)
    return formPage(c, { ...sent, ...found });
  return reviewDocuments(c, next, sent.base, { from: 'experiment', flow: id });
}

/** Back from a review: the form with the reviewed experiment. */
export async function returnToExperiment(c: Context<App>): Promise<Response> {
  const { documents, configuration, base, flow: id } = await returnedDraft(c);
  const found = configuration.experiments.find((each) => each.id === id);
  return found ? formPage(c, { draft: draftOf(found), base, documents }) : notFound(c);
}
