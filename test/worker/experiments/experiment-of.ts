import * as v from 'valibot';
import {
  type Experiment,
  experimentsSchema,
} from '../../../worker/experiments/rules/experiments-schema.ts';

const halves = [
  { key: 'control', weight: 50 },
  { key: 'b', weight: 50 },
];

/** As written in `experiments.json`. */
export const written = (id: string, more: object = {}) => ({
  ...{ id, hypothesis: 'It sells more', metric: 'purchases', variants: halves },
  ...more,
});

/** Of two equal variants for everybody, changed by `more`. */
export const experimentsOf = (...all: object[]): Experiment[] =>
  v.parse(experimentsSchema, { experiments: all }).experiments;

export function experimentOf(id: string, more: object = {}): Experiment {
  const [experiment] = experimentsOf(written(id, more));
  if (!experiment) throw new Error('no experiment');
  return experiment;
}
