import { expect, it } from 'vitest';
import { rememberInput } from '../../../../islands/runtime/hydration/carry-input.ts';
import { element } from '../../dom.ts';

const radio = (value: string, checked: boolean) =>
  Object.assign(element('input', { type: 'radio', name: 'plan', value }), { value, checked });

it('carry input: the chosen option stays chosen when another one is inserted before it', () => {
  const island = element('x-island', {}, radio('a', false), radio('b', true));
  const carry = rememberInput(island as never, false);
  for (const old of island.children) old.remove();
  const options = ['c', 'a', 'b'].map((value) => radio(value, false));
  island.append(...options);
  carry();
  expect(options.map(({ checked }) => checked)).toEqual([false, false, true]);
});
