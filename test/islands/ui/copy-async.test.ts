import { afterEach, expect, it, vi } from 'vitest';
import { copyAsync } from '../../../islands/ui/copy-async.ts';

afterEach(() => void vi.unstubAllGlobals());

it('copy: calls the clipboard before the text is loaded', async () => {
  const write = vi.fn(async (_items: { parts: Record<string, Promise<Blob>> }[]) => {});
  vi.stubGlobal('navigator', { clipboard: { write } });
  vi.stubGlobal(
    'ClipboardItem',
    class {
      readonly parts: Record<string, Promise<Blob>>;
      constructor(parts: Record<string, Promise<Blob>>) {
        this.parts = parts;
      }
    },
  );
  const { promise, resolve } = Promise.withResolvers<string>();
  const copied = copyAsync(promise);
  expect(write).toHaveBeenCalledTimes(1);
  resolve('a link');
  await copied;
  const [item] = write.mock.calls[0]?.[0] ?? [];
  expect(await (await item?.parts['text/plain'])?.text()).toBe('a link');
});

it('copy: falls back to plain text', async () => {
  const writeText = vi.fn(async () => {});
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  vi.stubGlobal('ClipboardItem', undefined);
  await copyAsync(Promise.resolve('a link'));
  expect(writeText).toHaveBeenCalledWith('a link');
});
