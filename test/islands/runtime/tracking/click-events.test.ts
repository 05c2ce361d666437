import { beforeEach, expect, it, vi } from 'vitest';
import { documentWith, element, openPage } from '../../dom.ts';

beforeEach(() => {
  vi.resetModules();
  vi.spyOn(performance, 'now').mockReturnValue(6240);
});
/** A page whose clicks are tracked; `sent` has names and properties. */
async function open(...children: ReturnType<typeof element>[]) {
  const page = openPage(documentWith(element('main', { 'data-screen': 'signup' }, ...children)));
  const { deliverTo } = await import('../../../../islands/runtime/tracking/track.ts');
  const { countClick, startClock, trackClicks } = await import(
    '../../../../islands/runtime/tracking/click-events.ts'
  );
  const sent: [string, unknown][] = [];
  deliverTo(({ name, properties: { screen_name: _screen, ...rest } }) => sent.push([name, rest]));
  trackClicks();
  startClock(5000);
  const click = (target: object) => countClick(target as Element);
  return { ...page, sent, click };
}

it.each([
  ['its id', element('button', { id: 'continue', name: 'other' }), 'continue'],
  ['its name', element('input', { name: 'email' }), 'email'],
  ['its tag', element('summary'), 'summary'],
])('clicks: a control is identified by %s', async (_, control, name) => {
  const { sent, click } = await open(control);
  click(control);
  expect(sent).toEqual([
    ['click', { target: name }],
    ['signup__click', { target: name }],
  ]);
});

it('clicks: a control of an island is tracked with the island’s name; other places are not tracked', async () => {
  const words = element('span');
  const island = element('x-island', { name: 'plan-picker' }, element('label', {}, words));
  const { sent, click } = await open(island);
  click(words);
  click(island);
  expect(sent.map(([, properties]) => properties)).toEqual([
    { target: 'plan-picker.label' },
    { target: 'plan-picker.label' },
  ]);
});

it('clicks: links to other hosts and Continue links are tracked', async () => {
  const link = Object.assign(element('a', { id: 'continue-button' }), { host: 'a.example' });
  const store = Object.assign(element('a', { id: 'store' }), { host: 'apps.example' });
  const { sent, click } = await open(link, store);
  click(link);
  expect(sent.slice(2)).toEqual([['button__continue', { seconds: 1.2 }]]);
  click(store);
  expect(sent.slice(5)).toEqual([['link__redirect', { host: 'apps.example' }]]);
});

it('clicks: a Continue button counts when its form is submitted, with the time on the screen', async () => {
  const button = element('button', { id: 'continue-button' });
  const { sent, fire } = await open(button);
  fire('submit', { submitter: element('button', { id: 'other' }) });
  fire('submit', { submitter: null });
  expect(sent).toEqual([]);
  fire('submit', { submitter: button });
  expect(sent).toEqual([['button__continue', { seconds: 1.2 }]]);
});

it('clicks: only the value of a choice is tracked, never text', async () => {
  const { sent, fire } = await open();
  fire('change', { target: { type: 'email', value: 'ann@example.com' } });
  fire('change', { target: { type: 'radio', value: 'monthly' } });
  fire('change', { target: { type: 'select-one', value: 'US' } });
  expect(sent).toEqual([
    ['option__redirect', { option: 'monthly' }],
    ['option__redirect', { option: 'US' }],
  ]);
});

it('clicks: scrolling counts once per screen, from 8 px', async () => {
  const { sent, fire, document } = await open();
  for (const scrollY of [0, 7, 8, 900]) {
    vi.stubGlobal('scrollY', scrollY);
    fire('scroll');
  }
  expect(sent).toEqual([['button__scroll', {}]]);
  const main = document.querySelector('main');
  if (main) main.dataset.screen = 'checkout';
  fire('scroll');
  expect(sent).toHaveLength(2);
});

it('clicks: a submit is tracked before a handler stops it, and scrolling is never delayed', async () => {
  const { document } = openPage(documentWith(element('main')));
  const listen = vi.fn();
  vi.stubGlobal('addEventListener', listen);
  Object.assign(document, { addEventListener: listen });
  const { trackClicks } = await import('../../../../islands/runtime/tracking/click-events.ts');
  trackClicks();
  expect(listen.mock.calls.map(([type, , options]) => [type, options])).toEqual([
    ['submit', { capture: true }],
    ['change', undefined],
    ['scroll', { passive: true }],
  ]);
});
