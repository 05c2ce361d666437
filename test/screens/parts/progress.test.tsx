import { expect, it } from 'vitest';
import { PageTitle } from '../../../screens/parts/page-title.tsx';
import { Progress, stepId } from '../../../screens/parts/progress.tsx';
import { Questions } from '../../../screens/questions.tsx';
import { htmlOf, page, props, wordsOf } from '../page-fixture.tsx';

const all = ['number', 'account', 'plan', 'invite'] as const;
const at = (place: number) => ({
  ...page,
  flow: { ...page.flow, progress: { steps: all, at: place, further: false } },
});

it('progress: shows the steps of the flow and marks the current one', () => {
  const html = htmlOf(<Progress page={at(1)} t={props.t} />);
  expect(html).toContain('aria-label="Step 2 of 4: Account"');
  expect(wordsOf(html)).toBe('Number Account Plan Invite');
});

it('progress: an extra comes after the plan and before the invitation', () => {
  const html = htmlOf(<Progress page={{ ...at(2), screen: 'upsell_guide' }} t={props.t} />);
  expect(html).toContain('aria-label="Step 3 of 4: Plan"');
  expect([...html.matchAll(/<span class="([^"]*)"/g)].map(([, name]) => name)).toHaveLength(3);
});

it('progress: describes the heading, which gets the focus', () => {
  const inFlow = htmlOf(<Questions {...props} page={at(0)} />);
  expect(inFlow).toMatch(new RegExp(`<h1[^>]* aria-describedby="${stepId}"`));
  expect(inFlow).toContain(`id="${stepId}"`);
});

it('progress: a page outside a flow has none, nor a heading that refers to one', () => {
  expect(
    htmlOf(<Progress page={{ ...page, flow: { ...page.flow, progress: null } }} t={props.t} />),
  ).toBe('');
  expect(htmlOf(<PageTitle title="Terms" />)).not.toContain('aria-describedby');
});

it('progress: a step before a missing one is done only if it is stored', () => {
  const html = htmlOf(<Progress page={at(2)} t={props.t} missing="account" />);
  expect(html.match(/data-need="[^"]*"/g)).toEqual(['data-need="map.phone"']);
});
