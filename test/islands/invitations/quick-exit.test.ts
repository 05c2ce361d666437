import { afterEach, expect, it, vi } from 'vitest';
import { watchQuickExit } from '../../../islands/invitations/quick-exit.ts';

afterEach(() => void vi.unstubAllGlobals());

it('quick exit: replaces the page after clearing its history entry', () => {
  const done: unknown[] = [];
  const document = Object.assign(new EventTarget(), { body: { hidden: false } });
  vi.stubGlobal('document', document);
  vi.stubGlobal('history', { replaceState: (...all: unknown[]) => done.push(all) });
  vi.stubGlobal('location', { pathname: '/i', replace: (to: string) => done.push(to) });
  const click = (closest: () => object | null) => {
    const event = new Event('click', { cancelable: true });
    Object.defineProperty(event, 'target', { value: { closest } });
    document.dispatchEvent(event);
    return event.defaultPrevented;
  };
  const end = watchQuickExit();
  expect(click(() => null)).toBe(false);
  expect(click(() => ({ href: 'https://away.example/' }))).toBe(true);
  expect(done).toEqual([[null, '', '/i'], 'https://away.example/']);
  expect(document.body.hidden).toBe(true);
  end();
  expect(click(() => ({ href: 'https://away.example/' }))).toBe(false);
});
