import { beforeEach, expect, it, vi } from 'vitest';
import { loadScript, scriptState } from '../../../islands/vendors/load-script.ts';

interface Element {
  src: string;
  onload: () => void;
  onerror: () => void;
  remove: () => void;
}

const added: Element[] = [];

beforeEach(() => {
  added.length = 0;
  vi.stubGlobal('document', {
    createElement: () => ({ remove: vi.fn() }),
    head: { append: (element: Element) => added.push(element) },
  });
});
it('load script: goes from idle to loading to ready and loads once', async () => {
  expect(scriptState('/a.js')).toBe('idle');
  const both = [loadScript('/a.js'), loadScript('/a.js')];
  expect(scriptState('/a.js')).toBe('loading');
  expect(added.map(({ src }) => src)).toEqual(['/a.js']);
  added[0]?.onload();
  await Promise.all(both);
  expect(scriptState('/a.js')).toBe('ready');
});

it('load script: can be retried after an error', async () => {
  const first = loadScript('/b.js');
  added[0]?.onerror();
  await expect(first).rejects.toThrow('/b.js');
  expect(scriptState('/b.js')).toBe('error');
  expect(added[0]?.remove).toHaveBeenCalledTimes(1);
  const second = loadScript('/b.js');
  added[1]?.onload();
  await second;
  expect(scriptState('/b.js')).toBe('ready');
});
