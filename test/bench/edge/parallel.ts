import * as v from 'valibot';
import { armsText } from '../../../worker/experiments/rules/arms.ts';
import { variantsFor } from '../../../worker/experiments/rules/experiment-arms.ts';
import { experimentsSchema } from '../../../worker/experiments/rules/experiments-schema.ts';
import { bucketOf, pickVariant } from '../../../worker/experiments/rules/split.ts';
import type { VisitorId } from '../../../worker/platform/types.ts';
import { visitorIdOf } from '../../../worker/visitor/visitor-key.ts';
import { median } from '../statistics.ts';
import { arms, experiment } from './experiment.ts';
import { openFunnel, withExternalCounts } from './funnel.ts';
import { load } from './load.ts';
import { visit } from './phone.ts';

const text = (key: string, words: string) => ({ texts: { en: { [`screens.${key}`]: words } } });
const bench = 'One of ten experiments.';

/** What the second variant of each changes: four on the landing, two of them in a layer, and six on later screens. */
const changes: readonly [changes: object, layer?: string][] = [
  [text('landing.one_pager.title', bench)],
  [text('landing.one_pager.lead', bench)],
  [text('landing.one_pager.title', `${bench} A.`), 'title'],
  [text('landing.one_pager.title', `${bench} B.`), 'title'],
  [text('signup.title', bench)],
  [text('signup.lead', bench)],
  [text('signup.first', bench)],
  [text('checkout.title', bench)],
  [text('checkout.method', bench)],
  [text('checkout.secure', bench)],
];

/** `experiments.json`. */
export const tenExperiments = JSON.stringify({
  experiments: changes.map(([own, layer], at) => ({
    ...{ id: `bench_${at}`, hypothesis: 'It costs no requests', metric: 'purchases' },
    targeting: { languages: ['en'] },
    ...(layer && { layer, share: 50 }),
    variants: [
      { key: 'control', weight: 50 },
      { key: 'b', weight: 50, changes: own },
    ],
  })),
});

const { experiments } = v.parse(experimentsSchema, JSON.parse(tenExperiments));

/** A counted visitor, by number: the cookies of the split and of the ten experiments. */
export function counted(number: number): string {
  const key = String(number).padStart(22, '0');
  const id = visitorIdOf(key) as VisitorId;
  const arm = pickVariant(arms, bucketOf(experiment, id))?.key ?? '';
  const visitor = { id, country: 'US', language: 'en', platform: 'ios', isNew: false };
  const sent = { source: '', placement: '', campaign: '' };
  const given = variantsFor(experiments, { ...visitor, ...sent }, [], Date.now());
  const own = armsText(
    given.map((each) => ({ experiment: each.experiment.id, variant: each.variant.key })),
  );
  const named = Object.entries({
    ...{ userUuid: id, visitorKey: key },
    ...{ arm: `${experiment}:${arm}`, arms: own.replaceAll(',', '.') },
  });
  return named.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ');
}

const visitors = 500;

/** The landing for 500 returning visitors with ten experiments and without any, in turn. */
export async function parallel(rounds: number, ms: number) {
  const notFound = async () => new Response('not found', { status: 502 });
  const open = (documents: Record<string, string>) =>
    openFunnel(notFound, { change: withExternalCounts, documents });
  const funnels = { none: await open({}), ten: await open({ 'experiments.json': tenExperiments }) };
  const requests = Array.from({ length: visitors }, (_, at) =>
    visit('/one_pager', { cookie: counted(at) }),
  );
  const request = (number: number) => requests[number % visitors] ?? '';
  const portOf = (name: keyof typeof funnels) => funnels[name].ports.funnel ?? 0;
  const run = async (name: keyof typeof funnels) => {
    const loaded = await load({ port: portOf(name), ms, request });
    return { ...loaded, hits: 1 - loaded.rendered / loaded.requests };
  };
  const seen: Record<keyof typeof funnels, Awaited<ReturnType<typeof run>>[]> = {
    none: [],
    ten: [],
  };
  const names = ['none', 'ten'] as const;
  // So that each version of the page is cached, and the code is warm.
  for (const name of names) await load({ port: portOf(name), requests: 4 * visitors, request });
  for (let turn = 0; turn < rounds; turn++) {
    for (const name of names) seen[name].push(await run(name));
  }
  for (const { server } of Object.values(funnels)) await server.dispose();
  const of = (name: keyof typeof funnels) => ({
    'requests/s': Math.round(median(seen[name].map(({ perSecond }) => perSecond))),
    ratio: median(
      seen[name].map(({ perSecond }, at) => perSecond / (seen.none[at]?.perSecond ?? 1)),
    ),
    hits: median(seen[name].map(({ hits }) => hits)),
    failures: seen[name].reduce((sum, { failures }) => sum + failures, 0),
  });
  return { none: of('none'), ten: of('ten') };
}
