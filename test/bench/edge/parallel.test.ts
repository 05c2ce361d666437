import { expect, test } from 'vitest';
import { configSet } from '../../../worker/experiments/config-set.ts';
import { documents } from './experiment.ts';
import { counted, tenExperiments } from './parallel.ts';

test('edge bench: the ten experiments are valid, and every visitor is counted for most of them', () => {
  const { errors } = configSet.problems({ ...documents, 'experiments.json': tenExperiments });
  expect(errors).toEqual([]);
  const cookies = Array.from({ length: 50 }, (_, at) => decodeURIComponent(counted(at)));
  expect(new Set(cookies).size).toBe(50);
  for (const cookie of cookies) {
    const [, own = ''] = /arms=(\S+)/.exec(cookie) ?? [];
    expect(own.split('.').length).toBe(9);
  }
});
