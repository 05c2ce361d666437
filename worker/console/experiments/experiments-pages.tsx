import { chunks } from 'virtual:client';
import type { Context } from 'hono';
import type { Documents, Version } from '../../documents/document-set.ts';
import { liveVersion, readVersions } from '../../documents/document-store.ts';
import { namespaceKv } from '../../documents/kv.ts';
import type { Live } from '../../documents/live-documents.ts';
import { configSet } from '../../experiments/config-set.ts';
import { experimentNames, segmentDimensions } from '../../experiments/results-table.ts';
import type { Problem } from '../../experiments/rules/config-schema.ts';
import { validateDocuments } from '../../experiments/rules/config-validation.ts';
import { allFlows } from '../../experiments/rules/flows.ts';
import { reportingIn } from '../../experiments/rules/reporting.ts';
import { type App, isProduction } from '../../platform/env.ts';
import { replicaOf } from '../../platform/replica.ts';
import { unanswered } from '../../platform/unanswered.ts';
import { flowLabel } from '../documents/rules/flow-form.ts';
import { consolePage } from '../parts/console-response.tsx';
import { liveConfig } from '../publishing/publish-documents.ts';
import { publishedNotice } from '../publishing/published-notice.ts';
import { waitingLines } from '../publishing/schedule-pages.tsx';
import { estimateLines, resultsView } from './experiment-figures.ts';
import { resultsEnd } from './results-end.ts';
import { type ExperimentForm, formOf } from './rules/experiment-form.ts';
import { plannedTest } from './rules/experiment-plan.ts';
import { Experiments } from './screens/experiments.tsx';

function flowsOf(texts: Documents, production: boolean) {
  const { set } = validateDocuments(texts, { production: production });
  const flows = allFlows(set?.flows ?? { flows: {} }, production);
  const named = [...flows].map(([name, screens]) => ({ name, screens }));
  return named.map((flow) => ({ ...flow, label: flowLabel(flow, named) }));
}

/** Of the live experiment, or of another one that had visitors. */
async function resultsOf(
  c: Context<App>,
  chosen: string,
  { live, versions }: { live: Live; versions: readonly Version[] },
) {
  const { experiment, variants } = formOf(live.documents);
  const reporting = reportingIn(live.documents['config.json']);
  const shown =
    chosen === experiment
      ? {
          variants,
          end: await resultsEnd(namespaceKv(c.env.FUNNEL), live, versions, Date.now()),
        }
      : {
          ...(plannedTest(live.documents['experiments.json'], chosen, Date.now()) ?? {
            variants: [],
          }),
          end: null,
        };
  const by = segmentDimensions.find((name) => name === c.req.query('by'));
  return resultsView(c.env.ANALYTICS, { experiment: chosen, reporting, by, ...shown }, c.var.log);
}

interface Edited {
  form: ExperimentForm;
  base: string;
  problems: readonly Problem[];
}

export async function experimentsPage(c: Context<App>, edited?: Edited): Promise<Response> {
  const kv = namespaceKv(c.env.FUNNEL);
  const [live, versions] = await Promise.all([liveConfig(c), readVersions(kv, configSet)]);
  const { form, base, problems } = edited ?? {
    form: formOf(live.documents),
    base: live.fingerprint,
    problems: [],
  };
  const experiments = await experimentNames(replicaOf(c.env.ANALYTICS)).catch(
    unanswered<string[]>(c.var.log, 'ANALYTICS', []),
  );
  const chosen =
    (edited ? undefined : c.req.query('experiment')) ?? formOf(live.documents).experiment;
  const props = {
    version: liveVersion(versions, live) ?? null,
    isDraft: edited !== undefined,
    served: configSet.isServed(live.documents),
    base,
    ...form,
    live: formOf(live.documents).variants,
    waiting: await waitingLines(c, 'config', live.documents),
    flows: flowsOf(live.documents, isProduction(c.env)),
    experiments,
    chosen: chosen.slice(0, 64),
    results: await resultsOf(c, chosen, { live, versions }),
    estimates: await estimateLines(c.env.ANALYTICS, live.documents, c.var.log),
    scripts: ['console-shares', 'console-chart'].flatMap((name) => chunks[name] ?? []),
    notice: publishedNotice(c, live),
    errors: problems.map(({ key, path, reason }) => ({
      field: key === 'config.json' ? path : `${key} ${path}`,
      text: path.startsWith('variants.') ? reason : `${path || key}: ${reason}`,
    })),
  };
  return consolePage(c, <Experiments {...props} />, problems.length > 0 ? 422 : 200);
}

export const showExperiments = (c: Context<App>): Promise<Response> => experimentsPage(c);
