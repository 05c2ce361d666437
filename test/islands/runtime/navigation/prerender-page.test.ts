import { beforeEach, expect, it, vi } from 'vitest';
import { documentWith, element, openPage } from '../../dom.ts';

beforeEach(() => vi.resetModules());

interface Options {
  kind?: string;
  nextKind?: string;
  cookie?: string;
  /** `data-storage`. */
  storage?: string;
  setItem?: (key: string, value: string) => void;
  supports?: (() => boolean) | undefined;
  saveData?: boolean;
}

async function open(given: Options = {}) {
  const { kind = 'payment', nextKind = 'payment', cookie = '', storage, setItem } = given;
  const data = { 'data-kind': kind, 'data-next': '/pay', 'data-next-kind': nextKind };
  const main = element('main', storage ? { ...data, 'data-storage': storage } : data);
  const page = openPage(documentWith(main), 'https://a.example/?gclid=1&phone=2');
  page.document.cookie = cookie;
  const session = new Map<string, string>();
  const sessionStorage = {
    setItem: setItem ?? ((key: string, value: string) => void session.set(key, value)),
    removeItem: (key: string) => void session.delete(key),
  };
  Object.assign(window, { sessionStorage });
  const supports = 'supports' in given ? given.supports : () => true;
  vi.stubGlobal('HTMLScriptElement', { supports });
  vi.stubGlobal('navigator', { connection: { saveData: given.saveData ?? false } });
  const module = await import('../../../../islands/runtime/navigation/prerender-page.ts');
  const rules = () => page.document.head.children as unknown as { type: string; text: string }[];
  return { ...page, ...module, rules, session };
}

const full = () => {
  throw new DOMException('full', 'QuotaExceededError');
};

it.each([
  ['payment', 'payment'],
  ['ordinary', 'payment'],
  ['payment', 'ordinary'],
])('prerender: from %s to %s, once, and with the known query only', async (kind, nextKind) => {
  const { prerenderNext, rules, session } = await open({ kind, nextKind });
  prerenderNext();
  prerenderNext();
  expect(rules().map(({ type }) => type)).toEqual(['speculationrules']);
  expect(JSON.parse(rules()[0]?.text ?? '')).toEqual({
    prerender: [{ urls: ['/pay?gclid=1'], eagerness: 'immediate' }],
  });
  expect(session.size).toBe(0);
});

/** Storage with room for so many more characters. */
const room = (characters: number) => (_key: string, value: string) => {
  if (value.length > characters) full();
};

it('prerender: a storage with room for 4096 characters can pass the state on', async () => {
  const { prerenderNext, rules } = await open({ setItem: room(4096) });
  prerenderNext();
  expect(rules()).toHaveLength(1);
});

it.each([
  ['a screen that is swapped in', { kind: 'ordinary', nextKind: 'ordinary' }],
  ['a visitor before consent, whose state is in the window’s name', { storage: 'memory' }],
  ['a visitor without consent', { cookie: 'consent=1.n' }],
  ['blocked or full storage', { setItem: full }],
  ['storage with less room', { setItem: room(4095) }],
  ['a browser without speculation rules', { supports: undefined }],
  ['Save-Data', { saveData: true }],
] as [string, Options][])('prerender: is skipped for %s', async (_case, given) => {
  const { prerenderNext, rules } = await open(given);
  prerenderNext();
  expect(rules()).toEqual([]);
});

it.each([{ storage: 'memory' }, { cookie: 'consent=1.n' }])(
  'prerender: without consent (%o) not even a probe is stored',
  async (given) => {
    const setItem = vi.fn();
    const { prerenderNext } = await open({ ...given, setItem });
    prerenderNext();
    expect(setItem).not.toHaveBeenCalled();
  },
);

it('prerender: ends when consent is withdrawn, here or in another tab', async () => {
  const here = await open();
  here.prerenderNext();
  here.stopPrerendering();
  expect(here.rules()).toHaveLength(1);
  here.document.cookie = 'consent=1.n';
  here.stopPrerendering();
  expect(here.rules()).toEqual([]);

  vi.resetModules();
  const there = await open();
  there.prerenderNext();
  there.document.cookie = 'consent=1.n';
  there.fire('visibilitychange');
  expect(there.rules()).toEqual([]);
});
