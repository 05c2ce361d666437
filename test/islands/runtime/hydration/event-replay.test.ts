import { beforeEach, expect, it, vi } from 'vitest';
import { documentWith, element, openPage } from '../../dom.ts';

const touched = vi.fn();

/** An island with a form, its submit button, a plain button and a link. */
async function open(attributes: Record<string, boolean> = {}) {
  const parts = {
    field: element('input', { name: 'email' }),
    submit: element('button', { id: 'continue-button' }),
    plain: element('button'),
    link: element('a', { href: '/terms' }),
    text: element('p'),
  };
  const form = element('form', {}, ...Object.values(parts));
  Object.assign(parts.submit, { form, type: 'submit' });
  Object.assign(parts.plain, { form, type: 'button', click: vi.fn() });
  Object.assign(parts.link, { click: vi.fn() });
  Object.assign(form, { requestSubmit: vi.fn() });
  const island = element('x-island', attributes, form);
  const page = openPage(documentWith(element('main', {}, island)));
  const module = await import('../../../../islands/runtime/hydration/event-replay.ts');
  module.captureEarlyEvents(touched);
  return { ...parts, ...module, form, island, fire: page.fire };
}

beforeEach(() => {
  vi.resetModules();
  touched.mockReset();
});
it.each(['pointerdown', 'focusin', 'keydown'])(
  'event replay: %s hydrates the island and stays a native event',
  async (type) => {
    const { field, fire, island } = await open();
    const event = fire(type, { target: field });
    expect(touched).toHaveBeenCalledExactlyOnceWith(island);
    expect(event.defaultPrevented).toBe(false);
    expect(island.matches('[data-buffered]')).toBe(false);
  },
);

it('event replay: a tap is stopped, buffered and replayed once', async () => {
  const { plain, fire, island, replay } = await open();
  const event = fire('click', { target: plain, timeStamp: 12.5 });
  expect(event.defaultPrevented).toBe(true);
  expect(event.stopPropagation).toHaveBeenCalledOnce();
  expect(island.getAttribute('data-buffered')).toBe('12.5');
  expect(touched).toHaveBeenCalledWith(island);
  expect(plain.click).not.toHaveBeenCalled();
  replay(island as never);
  replay(island as never);
  expect(plain.click).toHaveBeenCalledOnce();
});

it('event replay: a repeated tap counts once, and order is kept', async () => {
  const { plain, link, fire, island, replay } = await open();
  const order: string[] = [];
  plain.click = () => order.push('button');
  link.click = () => order.push('link');
  for (const target of [plain, link, plain]) fire('click', { target });
  replay(island as never);
  expect(order).toEqual(['button', 'link']);
});

it('event replay: a submit is replayed with its button', async () => {
  const { form, submit, fire, island, replay } = await open();
  expect(fire('click', { target: submit }).defaultPrevented).toBe(false);
  expect(fire('submit', { target: form, submitter: submit }).defaultPrevented).toBe(true);
  replay(island as never);
  expect(form.requestSubmit).toHaveBeenCalledExactlyOnceWith(submit);
});

it.each([['ctrlKey'], ['metaKey'], ['shiftKey']])(
  'event replay: a tap with %s is left to the browser',
  async (key) => {
    const { link, fire } = await open();
    expect(fire('click', { target: link, [key]: true }).defaultPrevented).toBe(false);
  },
);

it('event replay: a tap on text is left to the browser', async () => {
  const { text, fire, island } = await open();
  expect(fire('click', { target: text }).defaultPrevented).toBe(false);
  expect(touched).toHaveBeenCalledWith(island);
});

it.each(['live', 'failed'])('event replay: a %s island handles its own events', async (state) => {
  const { plain, fire } = await open({ [state]: true });
  expect(fire('click', { target: plain }).defaultPrevented).toBe(false);
  expect(touched).not.toHaveBeenCalled();
});

it('event replay: ignores other events outside islands and of the document', async () => {
  const { fire } = await open();
  fire('click', { target: element('button') });
  fire('keydown', { target: {} });
  expect(touched).not.toHaveBeenCalled();
});

it('event replay: taps on a link or a Continue form outside islands are buffered until answered', async () => {
  const { fire, replay, beforeFirstTouch: early } = await open();
  const link = Object.assign(element('a', { 'data-navigate': true, href: '/success' }), {
    click: vi.fn(),
  });
  const form = Object.assign(element('form', { method: 'post' }), { requestSubmit: vi.fn() });
  expect(fire('click', { target: link }).defaultPrevented).toBe(true);
  expect(fire('submit', { target: form, submitter: null }).defaultPrevented).toBe(true);
  expect(touched.mock.calls).toEqual([[link], [form]]);
  early.outside = 'x-island';
  replay(link as never);
  replay(form as never);
  expect([link.click.mock.calls.length, form.requestSubmit.mock.calls]).toEqual([1, [[null]]]);
  expect(fire('click', { target: link }).defaultPrevented).toBe(false);
});

it('event replay: clicks are buffered in order to be counted, unless they were stopped', async () => {
  const { text, plain, fire, beforeFirstTouch: early } = await open();
  const outside = element('summary');
  for (const target of [text, plain, outside]) fire('click', { target });
  // The tap on the button counts when it is handled.
  expect(early.clicked).toEqual([text, outside]);
  early.count = vi.fn();
  fire('click', { target: text });
  expect(early.count).toHaveBeenCalledExactlyOnceWith(text);
  expect(early.clicked).toHaveLength(2);
});

it('event replay: buffered events can be taken, oldest first, and put back', async () => {
  const { plain, link, fire, island, replay } = await open();
  const { takeBuffered } = await import('../../../../islands/runtime/hydration/take-buffered.ts');
  for (const target of [plain, link]) fire('click', { target });
  const first = takeBuffered(island as never);
  expect(first?.target).toBe(plain);
  expect(takeBuffered(island as never)?.target).toBe(link);
  expect(takeBuffered(island as never)).toBeUndefined();
  first?.restore();
  replay(island as never);
  expect(
    [plain, link].map(({ click }) => vi.mocked(click as () => void).mock.calls.length),
  ).toEqual([1, 0]);
});

it('event replay: a failed chunk leaves buffered taps to the browser', async () => {
  const { plain, fire, island, fallBackToBrowser } = await open();
  fallBackToBrowser(island as never);
  expect(island.matches('[failed]')).toBe(false);
  fire('click', { target: plain });
  fallBackToBrowser(island as never);
  expect(island.matches('[failed]')).toBe(true);
  expect(plain.click).toHaveBeenCalledOnce();
});
