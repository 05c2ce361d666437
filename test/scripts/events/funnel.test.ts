import { expect, test } from 'vitest';
import { funnel, funnelTable } from '../../../scripts/events/funnel.ts';
import { database } from './database.ts';

const reached = [
  { arm: 'intro/7d', name: 'onboarding_start', visitors: 40 },
  { arm: 'fullPrice', name: 'onboarding_start', visitors: 200 },
  { arm: 'fullPrice', name: 'lead', visitors: 50 },
  { arm: 'fullPrice', name: 'subs_purchase_completed', visitors: 3 },
  { arm: 'late', name: 'subs_purchase_completed', visitors: 1 },
];

test('a row a step, for each arm its visitors and their share of those who landed', () => {
  expect(funnelTable(reached)).toEqual([
    'step         fullPrice           intro/7d           late   ',
    'landing            200  100.0 %        40  100.0 %     0  –',
    'sign-up             50   25.0 %         0    0.0 %     0  –',
    'checkout             0    0.0 %         0    0.0 %     0  –',
    'plans seen           0    0.0 %         0    0.0 %     0  –',
    'pay pressed          0    0.0 %         0    0.0 %     0  –',
    'paid                 3    1.5 %         0    0.0 %     1  –',
    'upsell paid          0    0.0 %         0    0.0 %     0  –',
  ]);
});

const now = 100 * 3_600_000;
const told = (visitor: string, name: string, ago: number) => ({
  id: `${visitor}${name}${ago}`,
  at: now - ago * 3_600_000,
  visitor,
  name,
  arm: 'a',
});

test('a visitor counts once a step, and only in the last hours', async () => {
  const said: string[] = [];
  const rows = [
    told('v1', 'onboarding_start', 1),
    told('v1', 'onboarding_start', 2),
    told('v2', 'onboarding_start', 3),
    told('v3', 'onboarding_start', 4),
    told('v1', 'lead', 1),
    told('v1', 'click', 1),
  ];
  await funnel({ hours: 3, now }, database(rows), (line) => said.push(line));
  expect(said.slice(0, 3)).toEqual([
    'step         a',
    'landing      2  100.0 %',
    'sign-up      1   50.0 %',
  ]);
  await funnel({ hours: 3, now: 2 * now }, database(rows), (line) => said.push(line));
  expect(said.at(-1)).toBe('Nothing was told in the last 3 hours.');
});
