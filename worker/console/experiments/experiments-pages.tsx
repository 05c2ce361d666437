import { chunks } from 'virtual:client';
import type { Context } from 'hono';
import type { Documents, Version } from '../../documents/document-set.ts';
import { readVersions } from '../../documents/document-store.ts';
import { namespaceKv } from '../../documents/kv.ts';
import type { Live } from '../../documents/live-documents.ts';
import { configSet } from '../../experiments/config-set.ts';
import { holdoutIn } from '../../experiments/holdout-fix.ts';
import {
  experimentNames,
  type SegmentDimension,
  segmentDimensions,
} from '../../experiments/results-table.ts';
import type { Problem } from '../../experiments/rules/config-schema.ts';
import { validateDocuments } from '../../experiments/rules/config-validation.ts';
import type { Experiment, Holdout } from '../../experiments/rules/experiments-schema.ts';
import { allFlows } from '../../experiments/rules/flows.ts';
import { holdoutName, holdoutState } from '../../experiments/rules/holdout.ts';
import { reportingIn } from '../../experiments/rules/reporting.ts';
import { type App, isProduction } from '../../platform/env.ts';
import { replicaOf } from '../../platform/replica.ts';
import { unanswered } from '../../platform/unanswered.ts';
import { flowLabel } from '../documents/rules/flow-form.ts';
import { consolePage } from '../parts/console-response.tsx';
import { liveConfig } from '../publishing/publish-documents.ts';
import { publishedNotice } from '../publishing/published-notice.ts';
import { waitingLines } from '../publishing/schedule-pages.tsx';
import { resultsView } from './experiment-figures.ts';
import { resultsEnd } from './results-end.ts';
import { type ExperimentForm, formOf } from './rules/experiment-form.ts';
import { experimentsIn, plannedHoldout, plannedTest, stateWord } from './rules/experiment-plan.ts';
import { whoText } from './rules/experiment-words.ts';
import type { BesideProps } from './screens/beside.tsx';
import { Experiments } from './screens/experiments.tsx';

export function flowsOf(texts: Documents, production: boolean) {
  const { set } = validateDocuments(texts, { production: production });
  const flows = allFlows(set?.flows ?? { flows: {} }, production);
  const named = [...flows].map(([name, screens]) => ({ name, screens }));
  return named.map((flow) => ({ ...flow, label: flowLabel(flow, named) }));
}

interface State {
  live: Live;
  versions: readonly Version[];
  experiments: readonly Experiment[];
  holdout: Holdout | undefined;
}

const plannedIn = ({ experiments, holdout }: State, name: string, now: number) => {
  const beside = experiments.find(({ id }) => id === name);
  if (holdout && holdoutName(holdout) === name) return plannedHoldout(holdout, now);
  return beside ? plannedTest(beside, now) : { variants: [], end: null };
};

/** Of the split, of an experiment beside it, or of an earlier one that had visitors. */
async function resultsOf(c: Context<App>, chosen: string, state: State, by?: SegmentDimension) {
  const { live, versions } = state;
  const { experiment, variants } = formOf(live.documents);
  const reporting = reportingIn(live.documents['config.json']);
  const now = Date.now();
  const shown =
    chosen === experiment
      ? { variants, end: await resultsEnd(namespaceKv(c.env.FUNNEL), live, versions, now) }
      : plannedIn(state, chosen, now);
  return resultsView(c.env.ANALYTICS, { experiment: chosen, reporting, by, ...shown }, c.var.log);
}

/** The split, the experiments beside it, the holdout, and earlier ones. */
async function listedIn(c: Context<App>, state: State, names: readonly string[]) {
  const { experiment, variants } = formOf(state.live.documents);
  const now = Date.now();
  const isTest = variants.filter(({ weight }) => weight > 0).length > 1;
  const { holdout } = state;
  const split = { name: experiment, hypothesis: 'The split', learned: '' };
  const known = [
    { ...split, state: isTest ? 'running' : 'stopped' },
    ...state.experiments.map((each) => ({
      ...{ name: each.id, hypothesis: each.hypothesis, learned: each.learned ?? '' },
      state: stateWord(each, now),
    })),
    ...(holdout
      ? [
          {
            ...{ ...split, name: holdoutName(holdout), state: holdoutState(holdout, now) },
            hypothesis: 'What all changes since its start brought',
          },
        ]
      : []),
  ];
  const earlier = names.filter((name) => !known.some((each) => each.name === name));
  const listed = [
    ...known,
    ...earlier.map((name) => ({ ...split, name, hypothesis: '', state: 'ended' })),
  ];
  return Promise.all(
    listed.map(async (each) => {
      const results = await resultsOf(c, each.name, state);
      return { ...each, verdict: results?.verdict?.text ?? '', days: results?.days ?? '' };
    }),
  );
}

const besideOf = (experiment: Experiment): BesideProps => ({
  id: experiment.id,
  hypothesis: experiment.hypothesis,
  state: stateWord(experiment, Date.now()),
  who: whoText(experiment),
  variants: experiment.variants.map(({ key }) => key),
  winner: experiment.winner ?? '',
});

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
  const split = formOf(live.documents).experiment;
  const chosen = ((edited ? undefined : c.req.query('experiment')) ?? split).slice(0, 64);
  const experiments = experimentsIn(live.documents);
  const state = { live, versions, experiments, holdout: holdoutIn(live.documents) };
  const by = segmentDimensions.find((name) => name === c.req.query('by'));
  const beside = state.experiments.find(({ id }) => id === chosen);
  const isList = !edited && c.req.query('experiment') === undefined;
  const names = isList
    ? await experimentNames(replicaOf(c.env.ANALYTICS)).catch(
        unanswered<string[]>(c.var.log, 'ANALYTICS', []),
      )
    : [];
  const props = {
    isDraft: edited !== undefined,
    served: configSet.isServed(live.documents),
    base,
    ...form,
    live: formOf(live.documents).variants,
    waiting: await waitingLines(c, 'config', live.documents),
    flows: flowsOf(live.documents, isProduction(c.env)),
    chosen,
    listed: isList ? await listedIn(c, state, names) : null,
    beside: beside ? besideOf(beside) : null,
    results: await resultsOf(c, chosen, state, by),
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
