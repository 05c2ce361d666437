import { beforeEach, expect, it, vi } from 'vitest';
import { documentWith, element, openPage } from '../../dom.ts';

const readHandover = vi.fn<() => number | null>();
vi.mock('../../../../islands/runtime/storage/handover.ts', () => ({ readHandover }));

beforeEach(() => void readHandover.mockReturnValue(null));
async function open(url: string, data: Record<string, string> = {}) {
  const page = openPage(documentWith(element('main', { 'data-screen': 'intro', ...data })), url);
  const { initHistory } = await import(
    '../../../../islands/runtime/navigation/init-history-entry.ts'
  );
  return { ...page, initHistory };
}

it('first history entry: `/` becomes the URL of its screen, with the query', async () => {
  const { history, initHistory } = await open('https://a.example/?gclid=1');
  expect(initHistory()).toBe(false);
  expect(history.replaceState).toHaveBeenCalledWith({ depth: 0 }, '', '/intro?gclid=1');
});

it('first history entry: another URL stays, with the state of a reload', async () => {
  const { history, initHistory } = await open('https://a.example/signup#top');
  history.state = { depth: 3, again: true };
  initHistory();
  expect(history.replaceState).toHaveBeenCalledWith({ depth: 3, again: true }, '', undefined);
});

it.each([
  ['memory', { kept: [['funnel:1:map', '{"phone":"1"}']] }, '1'],
  ['memory', {}, undefined],
  [undefined, { kept: [['funnel:1:map', '{"phone":"1"}']] }, undefined],
])(
  'first history entry: a reload gets from it the data of %j that storage %s cannot keep',
  async (storage, state, phone) => {
    const data: Record<string, string> = storage ? { 'data-storage': storage } : {};
    vi.resetModules();
    const { history, initHistory } = await open('https://a.example/signup', data);
    history.state = state;
    expect(initHistory()).toBe(false);
    const { readSlice } = await import('../../../../islands/runtime/storage/state-storage.ts');
    expect(readSlice('map').phone).toBe(phone);
  },
);

it('first history entry: a screen after another one has its depth', async () => {
  readHandover.mockReturnValue(0);
  const { history, initHistory } = await open('https://a.example/checkout');
  expect(initHistory()).toBe(true);
  expect(history.replaceState).toHaveBeenCalledWith({ depth: 0 }, '', undefined);
});

it.each([
  ['private', { depth: 0, code: 'secret' }, '/i'],
  ['ordinary', { depth: 0 }, undefined],
])('first history entry: the code in the URL of a %s page', async (kind, state, address) => {
  const { history, initHistory } = await open('https://a.example/i#secret', { 'data-kind': kind });
  initHistory();
  expect(history.replaceState).toHaveBeenCalledWith(state, '', address);
});
