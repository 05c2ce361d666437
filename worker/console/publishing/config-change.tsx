import type { Context } from 'hono';
import type { Documents } from '../../documents/document-set.ts';
import { readVersion } from '../../documents/document-store.ts';
import { namespaceKv } from '../../documents/kv.ts';
import { contentOf, fingerprintOf, type Live } from '../../documents/live-documents.ts';
import { configSet, fieldOf, validated } from '../../experiments/config-set.ts';
import { documentKeys } from '../../experiments/readable-config.ts';
import { readDocuments } from '../../experiments/rules/config-documents.ts';
import { affectedBy } from '../../experiments/rules/config-reviews.ts';
import type { Problem } from '../../experiments/rules/config-schema.ts';
import { validateDocuments } from '../../experiments/rules/config-validation.ts';
import { settlementOf } from '../../payments/gateways/configuration-check.ts';
import { askProviders } from '../../payments/gateways/sale-check.ts';
import { type App, isProduction } from '../../platform/env.ts';
import { estimateLines } from '../experiments/experiment-figures.ts';
import { experimentsPage } from '../experiments/experiments-pages.tsx';
import { draftOf } from '../experiments/rules/experiment-draft.ts';
import {
  applyForm,
  type ExperimentForm,
  formOf,
  reassignmentWarning,
  shareSentences,
  shipped,
} from '../experiments/rules/experiment-form.ts';
import { experimentsIn } from '../experiments/rules/experiment-plan.ts';
import { experimentSentences } from '../experiments/rules/experiment-words.ts';
import { type Outcome, pausedOrContinued, rolledOut } from '../experiments/rules/roll-out.ts';
import { consolePage } from '../parts/console-response.tsx';
import { readForm } from '../parts/form-fields.ts';
import {
  couponSentences,
  offerSentences,
  priceSentences,
} from '../prices/rules/price-sentences.ts';
import { liveConfig } from './publish-documents.ts';
import { type Editor, publishingPages, reviewPage, type SentReview } from './publishing-pages.tsx';
import { publishTexts, textsAfter } from './rolled-out-texts.ts';
import {
  flowChanges,
  removalLines,
  saleChanges,
  variantDifferences,
  warningText,
} from './rules/review-notes.ts';
import { Review } from './screens/review.tsx';

/** The pages that take a draft back, by the section of the console that they belong to. */
const draftPages = {
  experiments: '/console/experiments',
  experiment: '/console/experiments/draft',
  documents: '/console/documents',
  offers: '/console/offers',
  flows: '/console/flows/draft',
  prices: '/console/prices/draft',
} as const;

export interface Origin {
  from: keyof typeof draftPages;
  /** The edited flow, coupon, product or experiment; empty for another draft. */
  flow: string;
}

interface ConfigChange extends SentReview, Origin {
  documents: Documents;
  isVersion?: boolean;
  /** The end of an experiment, and what its form sent. */
  outcome?: Outcome & { sent: Readonly<Record<string, string>> };
}

export function originIn(fields: URLSearchParams): Origin {
  const from = fields.get('from') ?? '';
  const flow = fields.get('flow') ?? '';
  const isOfForm = flow === '' || /^[\w-]{1,64}$/.test(flow);
  const isPage = (name: string): name is Origin['from'] => Object.hasOwn(draftPages, name);
  return { from: isPage(from) ? from : 'experiments', flow: isOfForm ? flow : '' };
}

interface State {
  live: Live;
}

const read = async (c: Context<App>): Promise<State> => ({ live: await liveConfig(c) });

function sentForm(fields: URLSearchParams): ExperimentForm {
  const [keys, weights, flows] = ['key', 'weight', 'flow'].map((name) => fields.getAll(name));
  const rows = (keys ?? []).map((key, index) => ({
    key: key.trim(),
    weight: Number(weights?.[index] || 0),
    flow: flows?.[index] ?? '',
  }));
  return {
    experiment: fields.get('experiment')?.trim() ?? '',
    variants: rows.filter(({ key }) => key !== ''),
  };
}

/** Whole documents, one field for each, empty for one that does not exist. Browsers send line ends as CR LF. */
export const documentsIn = (fields: URLSearchParams): Documents =>
  Object.fromEntries(
    documentKeys.map((key) => [key, fields.get(fieldOf(key))?.replaceAll('\r\n', '\n') || null]),
  );

/** The valid documents of a review that somebody leaves. @throws InvalidDocument */
export async function returnedDraft(c: Context<App>) {
  const fields = await readForm(c);
  const documents = documentsIn(fields);
  const configuration = readDocuments(documents, isProduction(c.env));
  return { documents, configuration, base: fields.get('base') ?? '', ...originIn(fields) };
}

export const fieldsOf = (documents: Documents): Record<string, string> =>
  Object.fromEntries(documentKeys.map((key) => [fieldOf(key), documents[key] ?? '']));

/** The documents under review, or the live ones with the submitted form applied. */
export const sentDocuments = (fields: URLSearchParams, live: Documents): Documents =>
  fields.has('config') ? documentsIn(fields) : applyForm(live, sentForm(fields));

function problemsIn(c: Context<App>, documents: Documents): readonly Problem[] {
  const { set, problems } = validated(documents, isProduction(c.env));
  return set ? settlementOf(c.env, set.catalog).refused : problems;
}

function currencyWarnings(c: Context<App>, documents: Documents): string[] {
  const { set } = validateDocuments(documents);
  return set ? settlementOf(c.env, set.catalog).warnings : [];
}

/** What changes for buyers, and the reason that is suggested for a plan that is added. */
function soldChanges(before: Documents, after: Documents, edited: string) {
  const [old, next] = [before, after].map((documents) => validateDocuments(documents).set);
  if (!old || !next) return { sentences: [], reason: '' };
  const { products } = next.catalog;
  const sentences = [
    ...priceSentences(old.catalog, next.catalog),
    ...offerSentences(old, next),
    ...couponSentences(old, next),
  ];
  const isNew = edited in products && !(edited in old.catalog.products);
  return { sentences, reason: isNew ? `New plan ${products[edited]?.label}` : '' };
}

/** The end of an experiment that a form of its page asks for; null for another form. */
function outcomeIn(c: Context<App>, fields: URLSearchParams, live: Documents): ConfigChange | null {
  const { flow } = originIn(fields);
  const experiment = experimentsIn(live).find(({ id }) => id === flow);
  const [ends, winner] = [fields.get('ends'), fields.get('winner')];
  if (!experiment || (ends === null && winner === null)) return null;
  const reach = fields.get('reach') ?? '';
  const everybody = reach === 'everybody' && !c.env.CONTENT_URL;
  const outcome =
    winner === null
      ? pausedOrContinued(live, experiment, { isEnd: ends === 'now', now: Date.now() })
      : rolledOut(live, experiment, { winner, everybody, now: Date.now() });
  const sent: Record<string, string> = winner === null ? { ends: ends ?? '' } : { winner, reach };
  const { documents } = outcome;
  return {
    ...{ documents, next: problemsIn(c, documents).length > 0 ? null : documents },
    ...{ base: fields.get('base') ?? fingerprintOf(live), from: 'experiment', flow },
    outcome: { ...outcome, sent },
  };
}

/** Where the change was made. */
function pageBefore({ from, flow, isVersion, outcome }: ConfigChange): string {
  if (isVersion) return '/console/versions';
  return outcome ? `/console/experiments?experiment=${flow}` : draftPages[from];
}

const configEditor: Editor<State, ConfigChange> = {
  set: configSet,
  home: '/console/experiments',
  versions: '/console/versions',
  read,
  async changeIn(c, fields, { live }) {
    const ended = outcomeIn(c, fields, live.documents);
    if (ended) return ended;
    const [version, ship] = [fields.get('version'), fields.get('ship')];
    const isNew = version !== null || ship !== null;
    const documents =
      version !== null
        ? configSet.restored(
            await readVersion(namespaceKv(c.env.FUNNEL), configSet, version),
            live.documents,
          )
        : ship !== null
          ? applyForm(live.documents, shipped(formOf(live.documents), ship))
          : sentDocuments(fields, live.documents);
    return {
      documents,
      next: problemsIn(c, documents).length > 0 ? null : documents,
      base: isNew ? live.fingerprint : (fields.get('base') ?? ''),
      isVersion: version !== null,
      ...originIn(fields),
    };
  },
  refuse(c, _, { documents, base }) {
    const problems = problemsIn(c, documents);
    return experimentsPage(c, { form: formOf(documents), base, problems });
  },
  async review(c, { live }, change, common) {
    const { next } = change;
    const [now, then] = [formOf(live.documents), formOf(next)];
    const isRenamed = now.experiment !== then.experiment;
    const sale = await askProviders(c.env, live, next, false);
    const differences =
      contentOf(live.documents) === contentOf(next)
        ? saleChanges(live.manifest.config?.unsold, sale.unsold)
        : configSet.differences(live.documents, next);
    const { from, flow, isVersion = false, outcome } = change;
    const texts = outcome ? await textsAfter(c, outcome) : null;
    const tested = experimentsIn(next).find(({ id }) => id === flow);
    const { sentences, reason } = soldChanges(live.documents, next, flow);
    const warningsOf = (documents: Documents, before?: Documents) => [
      ...configSet.problems(documents, before).warnings,
      ...currencyWarnings(c, documents),
    ];
    const known = warningsOf(live.documents);
    const props = {
      ...common,
      fields: Object.entries({
        base: live.fingerprint,
        ...(outcome ? outcome.sent : fieldsOf(next)),
        ...(texts && { texts: texts.live.fingerprint }),
        ...{ from, flow },
      }),
      back: pageBefore(change),
      isForm: !isVersion && !outcome,
      sentences: [
        ...(outcome?.sentences ?? []),
        ...(isRenamed ? [reassignmentWarning(then)] : shareSentences(now.variants, then.variants)),
        ...variantDifferences(next),
        ...experimentSentences(experimentsIn(live.documents), experimentsIn(next), Date.now()),
        ...sentences,
      ],
      flows: flowChanges(live.documents, next),
      affects: isRenamed || from === 'prices' ? [] : affectedBy(live.documents, next),
      differences,
      schedule: { ...common.schedule, reason: reason || tested?.hypothesis || '' },
      byHand: sale.byHand,
      sale: [...sale.lines, ...(sale.refusal ? [`It cannot be published: ${sale.refusal}.`] : [])],
      removals: removalLines(differences),
      isVersion,
      warnings: [
        ...warningsOf(next, live.documents)
          .filter((line) => !known.includes(line))
          .map(warningText),
        ...common.warnings,
      ],
      estimates: outcome
        ? []
        : await estimateLines(c.env.ANALYTICS, next, c.var.log, tested && draftOf(tested)),
    };
    return consolePage(
      c,
      <Review {...props} />,
      common.conflict ? 409 : common.problem ? 422 : 200,
    );
  },
  first: (c, { outcome }, publication) => publishTexts(c, outcome, publication),
  publishedAt(_state, { from, flow }, version) {
    if (from === 'prices' && flow) {
      return `/console/prices/product?id=${flow}&published=${version}`;
    }
    if (from === 'experiment')
      return `/console/experiments?experiment=${flow}&published=${version}`;
    const page = from === 'prices' || from === 'offers' ? from : 'experiments';
    return `/console/${page}?published=${version}`;
  },
};

export const configPages = publishingPages(configEditor);

/** Shows the effect of publishing these valid documents. @param base the version that the editor started from */
export const reviewDocuments = async (
  c: Context<App>,
  documents: Documents,
  base: string,
  origin: Origin,
): Promise<Response> =>
  reviewPage(c, configEditor, await read(c), { documents, next: documents, base, ...origin });

export async function returnToExperiments(c: Context<App>): Promise<Response> {
  const fields = await readForm(c);
  const form = formOf(documentsIn(fields));
  return experimentsPage(c, { form, base: fields.get('base') ?? '', problems: [] });
}
