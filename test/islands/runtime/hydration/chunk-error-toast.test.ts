import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { documentWith, element, openPage } from '../../dom.ts';

const module = () => import('../../../../islands/runtime/hydration/chunk-error-toast.ts');

/** A page with the toast's HTML, whose copy is returned. */
function open(withText = true) {
  const text = element('p');
  const copy = element('div', { 'data-late': 'Could not load' }, ...(withText ? [text] : []));
  const showPopover = vi.fn();
  Object.assign(copy, { showPopover });
  const toast = Object.assign(element('div', { 'data-late': 'Could not load' }), {
    cloneNode: () => copy,
  });
  const { document } = openPage(documentWith(element('main', {}, toast)));
  return { document, copy, text, showPopover };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('chunk error: a copy of the toast says so for 3 s', async () => {
  const { document, copy, text, showPopover } = open();
  (await module()).showChunkError();
  expect(text.textContent).toBe('Could not load');
  expect(copy.matches('[data-open]')).toBe(true);
  expect(copy.parent).toBe(document.body);
  expect(showPopover).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(2999);
  expect(copy.isConnected).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(copy.isConnected).toBe(false);
});

it('chunk error: a tap closes the toast', async () => {
  const { copy } = open();
  (await module()).showChunkError();
  (copy.onclick as () => void)();
  expect(copy.isConnected).toBe(false);
});

it('chunk error: shows nothing where a page has no toast', async () => {
  const { copy } = open(false);
  (await module()).showChunkError();
  expect(copy.isConnected).toBe(false);
  openPage(documentWith(element('main')));
  (await module()).showChunkError();
});
