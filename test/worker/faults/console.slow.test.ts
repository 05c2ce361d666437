import { beforeEach, expect, test } from 'vitest';
import { consoleApp } from '../../../worker/console/console-app.tsx';
import type { Env } from '../../../worker/platform/env.ts';
import { asRole, type Visit } from '../console/console-client.ts';
import { answerOf, outages, shortenTimers } from './faulty-binding.ts';

const appleFile = '/.well-known/apple-developer-merchantid-domain-association';
const tiles = '/tiles.pmtiles';

const pages = consoleApp.routes
  .filter(({ method, path }) => method === 'GET' && !path.includes('*'))
  .map(({ path }) =>
    path.replace(/:action\{(\w+).*?\}/, '$1').replace(/:(account|target|payment)/g, 'p'),
  );
const paths = [...new Set(pages), '/console/step?screen=one_pager', appleFile, tiles];

let owner: Visit;

beforeEach(async () => {
  owner = await asRole('owner');
  shortenTimers();
});

const answers = async (down: Partial<Env> = {}) =>
  Promise.all(
    paths.map(async (path) => {
      const { status } = await answerOf(
        path,
        { headers: { ...owner.headers, range: 'bytes=0-3' } },
        { ...owner.more, MAP_TILES: 'area', ...down },
      );
      return { path, status };
    }),
  );

const kvFaults = outages.filter(([name]) => name === 'KV');
const r2Faults = kvFaults.map(
  ([, fault, { FUNNEL }]) =>
    ['tiles', fault, { TILES: FUNNEL } as unknown as Partial<Env>] as const,
);

test.each([...kvFaults, ...r2Faults])(
  'faults: %s, every call %s: the console and the files of the site answer normally or with a 503',
  async (name, _fault, down) => {
    const healthy = await answers();
    const refused: string[] = [];
    for (const [index, { path, status }] of (await answers(down)).entries()) {
      if (status === healthy[index]?.status) continue;
      refused.push(path);
      expect([path, status]).toEqual([path, 503]);
    }
    expect(refused.includes(appleFile)).toBe(name === 'KV');
    expect(refused.includes('/console/people')).toBe(false);
  },
);
