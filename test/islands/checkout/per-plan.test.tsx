import { readFileSync } from 'node:fs';
import type { ReactElement } from 'react';
import { expect, it } from 'vitest';
import { PerPlan } from '../../../islands/checkout/per-plan.tsx';
import { planFamilies, planOf } from '../../../worker/catalog/plans.ts';
import { htmlOf } from '../html.tsx';

const css = readFileSync('islands/checkout/per-plan.module.css', 'utf8');

it('per plan: CSS covers every number of plans, in the offer and after it', () => {
  const main = planFamilies.filter((name) => planOf(name, 'USD').slot === 'main');
  const groups = [
    ['plan', 'offer'],
    ['after', 'afterOffer'],
  ];
  for (const [name, group] of groups) {
    for (const at of main.keys()) {
      const radio = `main:has(label:nth-of-type(${at + 1}) > * > [name="${name}"]:checked)`;
      expect(css).toContain(`${radio} .${group} > :nth-child(${at + 1})`);
    }
  }
});

it('per plan: both groups share one place', () => {
  expect(css).toMatch(/\.groups > \* \{\s+grid-area: 1 \/ 1/);
  const group = (after: ReactElement[]) =>
    htmlOf(<PerPlan offer={[<p key="a">a</p>]} plansAfterOffer={after} />);
  expect(group([])).not.toContain('_afterOffer');
  expect(group([<p key="b">b</p>])).toMatch(/_afterOffer_\w+"><div><p>b/);
});
