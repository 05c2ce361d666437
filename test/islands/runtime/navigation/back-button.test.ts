import { beforeEach, expect, it, vi } from 'vitest';
import { backLeaves } from '../../../../islands/runtime/navigation/back-button.ts';
import { documentWith, element, openPage } from '../../dom.ts';

it.each([
  { entry: true, since: Number.POSITIVE_INFINITY, leaves: true },
  { entry: false, since: Number.POSITIVE_INFINITY, leaves: false },
  { entry: false, since: 2000, leaves: false },
  { entry: false, since: 1999, leaves: true },
  { entry: true, since: 0, leaves: true },
])(
  'back button: entry=$entry, $since ms after the last: leaves=$leaves',
  ({ entry, since, leaves }) => {
    expect(backLeaves(entry, since)).toBe(leaves);
  },
);

let now = 0;

beforeEach(() => {
  vi.resetModules();
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
/** A screen whose history entry has this depth. */
async function open(depth: number | null, data: Record<string, string | boolean> = {}) {
  const heading = Object.assign(element('h1'), { focus: vi.fn() });
  const page = openPage(
    documentWith(element('main', data, heading)),
    'https://a.example/signup?utm_source=x',
  );
  page.history.state = depth === null ? null : { depth };
  const module = await import('../../../../islands/runtime/navigation/back-button.ts');
  return { ...page, ...module, heading };
}

it('back button: a guard entry is added above the screen, once, and not above the entry screen', async () => {
  const { guard, history } = await open(2);
  guard();
  guard();
  expect(history.pushState.mock.calls).toEqual([[{ depth: 3, guard: true }, '']]);
  const entry = await open(0, { 'data-entry': true });
  entry.guard();
  const foreign = await open(null);
  foreign.guard();
  expect(entry.history.pushState).not.toHaveBeenCalled();
  expect(foreign.history.pushState).not.toHaveBeenCalled();
});

it('back button: the first Back stays on the screen; a second one leaves the site', async () => {
  const { handleBack, history, fire, heading } = await open(2);
  handleBack();
  expect(history.pushState).toHaveBeenCalledOnce();
  now = 10_000;
  history.state = { depth: 2 };
  fire('popstate', { state: { depth: 2 } });
  expect(history.replaceState).toHaveBeenLastCalledWith(
    { depth: 2, guard: undefined },
    '',
    '/signup?utm_source=x',
  );
  expect(history.pushState).toHaveBeenCalledTimes(2);
  expect(scrollTo).toHaveBeenCalledWith({ top: 0, left: 0, behavior: 'instant' });
  expect(heading.focus).toHaveBeenCalledExactlyOnceWith({ preventScroll: true });
  expect(history.go).not.toHaveBeenCalled();
  now = 11_999;
  fire('popstate', { state: { depth: 2 } });
  expect(history.go).toHaveBeenCalledExactlyOnceWith(-3);
  expect(heading.focus).toHaveBeenCalledOnce();
});

it('back button: slow Backs stay on the site', async () => {
  const { handleBack, history, fire } = await open(2);
  handleBack();
  for (now of [20_000, 22_000, 24_000]) fire('popstate', { state: { depth: 2 } });
  expect(history.go).not.toHaveBeenCalled();
});

it.each([[null], [{}], [{ depth: 3, guard: true }]])(
  'back button: an entry %j does not belong to the screen',
  async (state) => {
    const { handleBack, history, fire } = await open(2);
    handleBack();
    fire('popstate', { state });
    expect(history.replaceState).not.toHaveBeenCalled();
    expect(history.go).not.toHaveBeenCalled();
  },
);

it('back button: a page from the back/forward cache gets its guard again', async () => {
  const { handleBack, history, fire } = await open(1);
  handleBack();
  history.state = { depth: 1 };
  fire('pageshow', { persisted: false });
  expect(history.pushState).toHaveBeenCalledTimes(1);
  fire('pageshow', { persisted: true });
  expect(history.pushState).toHaveBeenCalledTimes(2);
});

it('back button: replacing the URL keeps depth and guard', async () => {
  const { replaceUrl, history } = await open(4);
  history.state = { depth: 4, guard: true };
  replaceUrl('/signup');
  expect(history.replaceState).toHaveBeenCalledWith({ depth: 4, guard: true }, '', '/signup');
  const fresh = await open(null);
  fresh.replaceUrl('/signup');
  expect(fresh.history.state).toEqual({ depth: 0, guard: undefined });
});

it.each([
  [4, 4],
  [null, 0],
])('back button: an entry of depth %s hands over depth %s', async (depth, handedOver) => {
  const { handOver, window } = await open(depth);
  handOver();
  expect(JSON.parse(window.name)).toEqual({ depth: handedOver, kept: [] });
});
