import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { launchApp } from '../../../islands/app-link/launch-app.ts';

const store = 'https://store.example.com/app';
const page = { location: { href: '' }, document: { visibilityState: 'visible' } };

beforeEach(() => {
  vi.useFakeTimers();
  page.document.visibilityState = 'visible';
  for (const [name, part] of Object.entries(page)) vi.stubGlobal(name, part);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('launch app: opens the app with the code in the fragment, then the store', () => {
  launchApp('family', 'c0de', store);
  expect(page.location.href).toBe('family://d#c0de');
  vi.advanceTimersByTime(1500);
  expect(page.location.href).toBe(store);
});

it.each([
  ['the app came', 'hidden', store],
  ['there is no store', 'visible', ''],
])('launch app: stays on the page when %s', (_, visibility, address) => {
  launchApp('family', 'c0de', address);
  page.document.visibilityState = visibility;
  vi.advanceTimersByTime(5000);
  expect(page.location.href).toBe('family://d#c0de');
});
