import type { Context } from 'hono';
import type { Documents } from '../../documents/document-set.ts';
import {
  contentOf,
  type Live,
  liveVersion,
  readVersion,
  readVersions,
} from '../../documents/document-store.ts';
import { namespaceKv } from '../../documents/kv.ts';
import { configSet } from '../../experiments/config-set.ts';
import { validateDocuments } from '../../experiments/rules/config-validation.ts';
import { type App, isProduction } from '../../platform/env.ts';
import { estimateLines } from '../experiments/experiment-figures.ts';
import { experimentsPage } from '../experiments/experiments-pages.tsx';
import {
  applyForm,
  type ExperimentForm,
  formOf,
  reassignmentWarning,
  shareSentences,
  shipped,
} from '../experiments/rules/experiment-form.ts';
import { consolePage } from '../parts/console-response.tsx';
import { enterReason, readForm, reasonIn } from '../parts/form-fields.ts';
import { clockOf } from '../parts/time-zone-choice.ts';
import { liveConfig, publishAudited } from './publish-documents.ts';
import { removalLines, variantDifferences, warningText } from './rules/review-notes.ts';
import { newSchedule, notScheduled, scheduleSent, waitingLines } from './schedule-pages.tsx';
import { Review, type ReviewProps } from './screens/review.tsx';

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

/** The documents under review, or the live ones with the submitted form applied. */
export const sentDocuments = (fields: URLSearchParams, live: Documents): Documents =>
  fields.has('config') ? documentsIn(fields) : applyForm(live, sentForm(fields));

async function reviewPage(
  c: Context<App>,
  next: Documents,
  live: Live,
  {
    conflict = null,
    problem = '',
    isVersion = false,
    isTyped = live.documents['config.json'] !== next['config.json'],
  }: Partial<
    Pick<ReviewProps, 'conflict' | 'problem'> & { isVersion: boolean; isTyped: boolean }
  > = {},
): Promise<Response> {
  const [now, then] = [formOf(live.documents), formOf(next)];
  const isRenamed = now.experiment !== then.experiment;
  const isForm = contentOf(applyForm(live.documents, then)) === contentOf(next);
  const differences =
    contentOf(live.documents) === contentOf(next)
      ? []
      : configSet.differences(live.documents, next);
  const props: ReviewProps = {
    base: live.fingerprint,
    documents: { config: next['config.json'] ?? '', flows: next['flows.json'] ?? '' },
    sentences: [
      ...(isRenamed ? [reassignmentWarning(then)] : shareSentences(now.variants, then.variants)),
      ...variantDifferences(next),
    ],
    isRenamed,
    back: isVersion
      ? '/console/versions'
      : isForm
        ? '/console/experiments'
        : isTyped
          ? '/console/documents'
          : '/console/flows',
    differences,
    removals: removalLines(differences),
    isVersion,
    warnings: [
      ...configSet.problems(next).warnings.map(warningText),
      ...(await waitingLines(c, 'config', next)),
    ],
    estimates: await estimateLines(c.env.ANALYTICS, next, c.var.log),
    conflict,
    problem,
    ...newSchedule(c),
  };
  return consolePage(c, <Review {...props} />, conflict ? 409 : problem ? 422 : 200);
}

export async function reviewChange(c: Context<App>): Promise<Response> {
  const fields = await readForm(c);
  const live = await liveConfig(c);
  const version = fields.get('version');
  if (version !== null)
    return reviewPage(c, await readVersion(namespaceKv(c.env.FUNNEL), configSet, version), live, {
      isVersion: true,
    });
  const ship = fields.get('ship');
  const next =
    ship === null
      ? sentDocuments(fields, live.documents)
      : applyForm(live.documents, shipped(formOf(live.documents), ship));
  const { problems } = validateDocuments(next, { production: isProduction(c.env) });
  const base = ship === null ? (fields.get('base') ?? '') : live.fingerprint;
  if (problems.length > 0) return experimentsPage(c, { form: formOf(next), base, problems });
  return reviewDocuments(c, next, base);
}

/** Shows the effect of publishing these valid documents. @param base the version that the editor started from */
export async function reviewDocuments(
  c: Context<App>,
  next: Documents,
  base: string,
  more: { isTyped?: boolean; problem?: string } = {},
): Promise<Response> {
  const live = await liveConfig(c);
  const conflict = base === live.fingerprint ? null : await changeSince(c, base, live);
  return reviewPage(c, next, live, { ...more, conflict });
}

async function changeSince(
  c: Context<App>,
  base: string,
  live: Live,
): Promise<ReviewProps['conflict']> {
  const kv = namespaceKv(c.env.FUNNEL);
  const versions = await readVersions(kv, configSet);
  const newest = liveVersion(versions, live);
  const started = versions.find(({ fingerprint }) => fingerprint === base);
  const before = started ? await readVersion(kv, configSet, started.id) : null;
  return {
    who: newest?.who ?? 'Somebody',
    time: newest ? clockOf(c)(Date.parse(newest.time)) : 'an unknown time',
    differences: before
      ? configSet.differences(before, live.documents)
      : ['Your starting version is not in the history, so their changes cannot be listed.'],
  };
}

export async function returnToExperiments(c: Context<App>): Promise<Response> {
  const fields = await readForm(c);
  const form = formOf(documentsIn(fields));
  return experimentsPage(c, { form, base: fields.get('base') ?? '', problems: [] });
}

function invalidPage(c: Context<App>, next: Documents, base: string): Promise<Response> {
  const { problems } = validateDocuments(next);
  return experimentsPage(c, { form: formOf(next), base, problems });
}

const documentsIn = (fields: URLSearchParams): Documents => ({
  'config.json': fields.get('config'),
  'flows.json': fields.get('flows'),
});

export async function publishChange(c: Context<App>): Promise<Response> {
  const fields = await readForm(c);
  const next = documentsIn(fields);
  const base = fields.get('base') ?? '';
  const reason = reasonIn(fields);
  if (!reason) return reviewDocuments(c, next, base, { problem: enterReason });
  const before = await liveConfig(c);
  const details = { base, differences: configSet.differences(before.documents, next) };
  const change = { next, base, who: c.var.person.email, now: new Date() };
  const kv = namespaceKv(c.env.FUNNEL);
  const result = await publishAudited(configSet, kv, c.env.DB, change, { details, reason });
  if (result.kind === 'published')
    return c.redirect(`/console/experiments?published=${result.version}`, 303);
  if (result.kind === 'unchanged') return c.redirect('/console/experiments', 303);
  if (result.kind === 'invalid') return invalidPage(c, next, base);
  const conflict = await changeSince(c, base, result.live);
  return reviewPage(c, next, result.live, { conflict });
}

export async function scheduleChange(c: Context<App>): Promise<Response> {
  const fields = await readForm(c);
  const next = documentsIn(fields);
  const base = fields.get('base') ?? '';
  if (!reasonIn(fields)) return reviewDocuments(c, next, base, { problem: enterReason });
  const result = await scheduleSent(c, fields, { kind: 'config', next, base });
  if (result.kind === 'scheduled') return c.redirect('/console/versions?done=scheduled', 303);
  if (result.kind === 'unchanged') return c.redirect('/console/experiments', 303);
  if (result.kind === 'invalid') return invalidPage(c, next, base);
  const live = await liveConfig(c);
  return result.kind === 'conflict'
    ? reviewPage(c, next, live, { conflict: await changeSince(c, base, live) })
    : reviewPage(c, next, live, { problem: notScheduled(c, result) });
}
