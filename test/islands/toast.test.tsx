import { beforeEach, expect, it, vi } from 'vitest';
import { $error, setError } from '../../islands/stores/error.ts';
import Toast from '../../islands/toast.tsx';
import { htmlOf, text } from './render-html.tsx';

const begun = vi.hoisted<(() => undefined | (() => void))[]>(() => []);

vi.mock('react', async (actual) => ({
  ...(await actual<typeof import('react')>()),
  useEffect: (effect: (typeof begun)[number]) => void begun.push(effect),
  useRef: () => ({ current: null }),
}));
vi.mock('@nanostores/react', () => ({ useStore: (store: typeof $error) => store.get() }));

/** The toast's current state, with its effect running, and the end of the effect. */
function renderToast() {
  begun.length = 0;
  const toast = Toast({ text: text.toast });
  const end = begun[0]?.();
  return { html: htmlOf(toast), press: toast.props.children[1].props.onClick, end };
}

beforeEach(() => {
  vi.useFakeTimers();
  setError(false);
  return () => void vi.useRealTimers();
});

it('toast: starts closed and empty, and contains the loader message', () => {
  const { html } = renderToast();
  expect(html).toMatch(/<div[^>]*popover="manual"[^>]*role="alert"/);
  expect(html).toContain(`data-late="${text.toast.late}"`);
  expect(html).not.toContain('data-open');
  expect(html).toContain('aria-label="Close"');
  expect(vi.getTimerCount()).toBe(0);
});

it('toast: shows a message for 3000 ms', () => {
  setError('Payment error');
  const { html } = renderToast();
  expect(html).toContain('data-open');
  expect(html).toContain('>Payment error</p>');
  vi.advanceTimersByTime(2999);
  expect($error.get().show).toBe(true);
  vi.advanceTimersByTime(1);
  expect($error.get()).toEqual({ show: false, message: '' });
});

it('toast: a new message restarts the 3000 ms', () => {
  setError('One');
  const { end } = renderToast();
  vi.advanceTimersByTime(2000);
  setError('Two');
  end?.();
  renderToast();
  vi.advanceTimersByTime(2999);
  expect($error.get()).toEqual({ show: true, message: 'Two' });
});

it('toast: closes by its button', () => {
  setError('Payment error');
  renderToast().press();
  expect($error.get()).toEqual({ show: false, message: '' });
  expect(renderToast().html).not.toContain('data-open');
});

it.each([true, false])('toast: a boolean sets its visibility: %s', (visible) => {
  setError('Payment error');
  setError(visible);
  const { html } = renderToast();
  expect(html.includes('data-open')).toBe(visible);
  expect(html).toContain('></p>');
});
