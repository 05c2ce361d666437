import { beforeEach, expect, it, vi } from 'vitest';
import { documentWith, element, openPage } from '../../dom.ts';

const writeHandover = vi.fn();
vi.mock('../../../../islands/runtime/storage/handover.ts', () => ({ writeHandover }));

const at = 'https://a.example/signup';
const action = 'https://a.example/language';
const choice = { name: 'language', value: 'fr' } as unknown as HTMLElement;

async function open() {
  const form = Object.assign(element('form'), { action, requestSubmit: vi.fn() });
  const page = openPage(documentWith(element('main', {}, form)), `${at}?custom_lng=de&gclid=1`);
  page.history.state = { depth: 5 };
  vi.stubGlobal(
    'FormData',
    class extends Array {
      // Older browsers ignore the pressed button.
      constructor(_form: object) {
        super();
      }
    },
  );
  const { switchLanguage } = await import(
    '../../../../islands/runtime/navigation/switch-language.ts'
  );
  return { ...page, form, choose: () => switchLanguage(form as never, choice) };
}

beforeEach(() => void vi.clearAllMocks());
it('language: posts the choice and reloads without the language parameter', async () => {
  const fetch = vi.fn(async (..._call: unknown[]) => new Response());
  const { choose, location, history } = await open();
  vi.stubGlobal('fetch', fetch);
  await choose();
  expect(location.reload).toHaveBeenCalledOnce();
  const [url, init] = fetch.mock.calls[0] as [string, RequestInit];
  expect([url, init.method, String(init.body), init.redirect]).toEqual([
    action,
    'POST',
    'language=fr',
    'manual',
  ]);
  const [state, , address] = history.replaceState.mock.calls[0] as unknown as [object, '', URL];
  expect([state, String(address)]).toEqual([{ depth: 5 }, `${at}?gclid=1`]);
  expect(writeHandover).toHaveBeenCalledExactlyOnceWith(5);
});

it('language: without a network the browser submits the form, once', async () => {
  const { form, choose, location } = await open();
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  await choose();
  expect(form.requestSubmit).toHaveBeenCalledExactlyOnceWith(choice);
  expect(form.matches('[failed]')).toBe(true);
  expect(location.reload).not.toHaveBeenCalled();
});
