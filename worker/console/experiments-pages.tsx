import type { Context } from 'hono';
import { Experiments } from '../../screens/console/experiments.tsx';
import { Review, type ReviewProps } from '../../screens/console/review.tsx';
import { Versions } from '../../screens/console/versions.tsx';
import { contentOf, type Live, namespaceKv } from '../documents/versioned-documents.ts';
import { type App, isProduction } from '../env.ts';
import { type ConfigTexts, configStore } from '../experiments/config-versions.ts';
import { type Problem, validateDocuments } from '../experiments/rules/config-validation.ts';
import { allFlows } from '../experiments/rules/flows.ts';
import { insertCommand, recordCommandResult } from '../operators/audited-command.ts';
import { consolePage } from './console-response.tsx';
import { estimateLines, resultRows } from './experiment-figures.ts';
import { liveConfig, publishConfig } from './publish-config.ts';
import { applyForm, type ExperimentForm, formOf, shareSentences } from './rules/experiment-form.ts';
import { may } from './rules/roles.ts';

const maxVersions = 50;

const readForm = async (c: Context<App>) => new URLSearchParams(await c.req.text());

function flowsOf(texts: ConfigTexts, production: boolean) {
  const { pair } = validateDocuments(texts['config.json'], texts['flows.json'], false, production);
  const flows = allFlows(pair?.flows ?? { flows: {} }, production);
  return [...flows].map(([name, screens]) => ({ name, screens }));
}

interface Edited {
  form: ExperimentForm;
  base: string;
  problems: readonly Problem[];
}

/** The form, of the live documents or as it was sent, with the problems of each field. */
async function experimentsPage(c: Context<App>, edited?: Edited): Promise<Response> {
  const kv = namespaceKv(c.env.FUNNEL);
  const [live, versions] = await Promise.all([
    liveConfig(kv, c.env.DB, Date.now()),
    configStore.versions(kv),
  ]);
  const { form, base, problems } = edited ?? {
    form: formOf(live.documents),
    base: live.fingerprint,
    problems: [],
  };
  const published = c.req.query('published');
  const props = {
    person: c.var.person,
    mayPublish: may(c.var.person.role, 'publish'),
    version: versions.find(({ fingerprint }) => fingerprint === live.fingerprint) ?? null,
    served: configStore.isServed(live.documents),
    base,
    ...form,
    flows: flowsOf(live.documents, isProduction(c.env)),
    ...(await resultRows(c.env.ANALYTICS, live.documents)),
    notice: published && /^[\d-]{1,32}$/.test(published) ? `Published version ${published}.` : '',
    errors: problems.map(({ key, path, reason }) => ({
      field: key === 'config.json' ? path : `${key} ${path}`,
      text: path.startsWith('variants.') ? reason : `${path || key}: ${reason}`,
    })),
  };
  return consolePage(c, <Experiments {...props} />, problems.length > 0 ? 422 : 200);
}

export const showExperiments = (c: Context<App>): Promise<Response> => experimentsPage(c);

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

async function reviewPage(
  c: Context<App>,
  next: ConfigTexts,
  live: Live<ConfigTexts>,
  conflict: ReviewProps['conflict'] = null,
): Promise<Response> {
  const props: ReviewProps = {
    person: c.var.person,
    base: live.fingerprint,
    documents: { config: next['config.json'] ?? '', flows: next['flows.json'] ?? '' },
    sentences: shareSentences(formOf(live.documents).variants, formOf(next).variants),
    differences:
      contentOf(live.documents) === contentOf(next)
        ? []
        : configStore.differences(live.documents, next),
    warnings: configStore.problems(next).warnings,
    estimates: await estimateLines(c.env.ANALYTICS, next),
    conflict,
  };
  return consolePage(c, <Review {...props} />, conflict ? 409 : 200);
}

/** Checks what an editor wrote, or an earlier version, and shows what publishing it would do. */
export async function reviewChange(c: Context<App>): Promise<Response> {
  const fields = await readForm(c);
  const kv = namespaceKv(c.env.FUNNEL);
  const live = await liveConfig(kv, c.env.DB, Date.now());
  const version = fields.get('version');
  if (version !== null) return reviewPage(c, await configStore.read(kv, version), live);
  const form = sentForm(fields);
  const next = applyForm(live.documents, form);
  const { problems } = validateDocuments(
    next['config.json'],
    next['flows.json'],
    false,
    isProduction(c.env),
  );
  const base = fields.get('base') ?? '';
  if (problems.length > 0) return experimentsPage(c, { form, base, problems });
  const conflict = base === live.fingerprint ? null : await changeSince(c, base, live);
  return reviewPage(c, next, live, conflict);
}

/** What others published since an editor opened the form. */
async function changeSince(
  c: Context<App>,
  base: string,
  live: Live<ConfigTexts>,
): Promise<ReviewProps['conflict']> {
  const kv = namespaceKv(c.env.FUNNEL);
  const versions = await configStore.versions(kv);
  const newest = versions.find(({ fingerprint }) => fingerprint === live.fingerprint);
  const started = versions.find(({ fingerprint }) => fingerprint === base);
  const before = started ? await configStore.read(kv, started.id) : null;
  return {
    who: newest?.who ?? 'Somebody',
    time: newest?.time ?? 'an unknown time',
    differences: before
      ? configStore.differences(before, live.documents)
      : ['The version that you started from is not in the history.'],
  };
}

export async function publishChange(c: Context<App>): Promise<Response> {
  const fields = await readForm(c);
  const { DB, FUNNEL } = c.env;
  const kv = namespaceKv(FUNNEL);
  const next = { 'config.json': fields.get('config'), 'flows.json': fields.get('flows') };
  const [now, base, who] = [new Date(), fields.get('base') ?? '', c.var.person.email];
  const before = await liveConfig(kv, DB, now.getTime());
  const differences = configStore.differences(before.documents, next);
  const audit = await insertCommand(
    DB,
    {
      operator: who,
      action: 'publish',
      target: 'config',
      details: { base, differences },
      reason: '',
    },
    now.getTime(),
  );
  const record = (result: string) => recordCommandResult(DB, audit, result).catch(() => {});
  try {
    const result = await publishConfig(kv, DB, { next, base, who, now });
    await record(result.kind === 'published' ? `published ${result.version}` : result.kind);
    if (result.kind === 'published')
      return c.redirect(`/console/experiments?published=${result.version}`, 303);
    if (result.kind === 'unchanged') return c.redirect('/console/experiments', 303);
    if (result.kind === 'invalid') {
      const { problems } = validateDocuments(next['config.json'], next['flows.json']);
      return experimentsPage(c, { form: formOf(next), base, problems });
    }
    return reviewPage(c, next, result.live, await changeSince(c, base, result.live));
  } catch (error) {
    await record('failed');
    throw error;
  }
}

export async function showVersions(c: Context<App>): Promise<Response> {
  const kv = namespaceKv(c.env.FUNNEL);
  const [versions, live] = await Promise.all([
    configStore.versions(kv),
    liveConfig(kv, c.env.DB, Date.now()),
  ]);
  const current = versions.find(({ fingerprint }) => fingerprint === live.fingerprint);
  const builtIn = { id: 'built-in', time: '', who: '', isLive: false };
  const rows = versions.slice(0, maxVersions).map((version) => ({
    ...version,
    isLive: version === current,
  }));
  return consolePage(
    c,
    <Versions
      person={c.var.person}
      mayPublish={may(c.var.person.role, 'publish')}
      versions={[...rows, builtIn]}
    />,
  );
}
