import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { documentWith, element, openPage } from '../../dom.ts';

const navigate = vi.fn();
const writeHandover = vi.fn();
vi.mock('../../../../islands/runtime/navigation/navigate.ts', () => ({ navigate }));
vi.mock('../../../../islands/runtime/storage/window-name-handover.ts', () => ({ writeHandover }));

const at = 'https://a.example/signup';

/** A page with a form and a link; the form posts to this page unless told otherwise. */
async function open(
  { action = at, method = 'post', attributes = {} } = {},
  ...inside: ReturnType<typeof element>[]
) {
  const form = Object.assign(element('form', attributes, ...inside), {
    action,
    method,
    requestSubmit: vi.fn(),
  });
  const words = element('span');
  const link = Object.assign(element('a', { 'data-navigate': true }, words), {
    pathname: '/success',
  });
  const main = element('main', {}, form, link);
  const page = openPage(documentWith(main), `${at}?custom_lng=de&gclid=1`);
  page.history.state = { depth: 5 };
  const { interceptForms } = await import(
    '../../../../islands/runtime/navigation/intercept-forms.ts'
  );
  interceptForms();
  return { ...page, form, link, words, main };
}

beforeEach(() => void vi.clearAllMocks());
afterEach(() => void vi.unstubAllGlobals());

it('forms: a Continue form navigates in the page', async () => {
  const { form, fire } = await open();
  expect(fire('submit', { target: form }).defaultPrevented).toBe(true);
  expect(navigate).toHaveBeenCalledExactlyOnceWith();
});

it.each([
  ['that was handled', {}, [], { defaultPrevented: true }],
  ['of another path', { action: 'https://a.example/other' }, [], {}],
  ['that reads', { method: 'get' }, [], {}],
  ['with fields', {}, [element('input', { name: 'email' })], {}],
])('forms: a form %s is left alone', async (_, options, inside, more) => {
  const { form, fire } = await open(options, ...inside);
  fire('submit', { target: form, ...more });
  expect(navigate).not.toHaveBeenCalled();
});

it('forms: an island handles its own form', async () => {
  const { form, main, fire } = await open();
  main.append(element('x-island', {}, form));
  expect(fire('submit', { target: form }).defaultPrevented).toBe(false);
  expect(navigate).not.toHaveBeenCalled();
});

it('links: a tap on a `data-navigate` link navigates in the page', async () => {
  const { words, fire } = await open();
  expect(fire('click', { target: words }).defaultPrevented).toBe(true);
  expect(navigate).toHaveBeenCalledExactlyOnceWith('/success');
});

it.each(['metaKey', 'ctrlKey', 'shiftKey', 'defaultPrevented'])(
  'links: a tap with %s is left alone',
  async (key) => {
    const { words, fire } = await open();
    fire('click', { target: words, [key]: true });
    expect(navigate).not.toHaveBeenCalled();
  },
);

it('links: other links and taps are left alone', async () => {
  const { fire, main } = await open();
  expect(fire('click', { target: main }).defaultPrevented).toBe(false);
  expect(navigate).not.toHaveBeenCalled();
});

const language = { attributes: { action: '/language' }, action: 'https://a.example/language' };

const stubForm = () =>
  vi.stubGlobal(
    'FormData',
    class extends Array {
      constructor(_form: object, choice: { value: string }) {
        super();
        this.push(['language', choice.value]);
      }
    },
  );

it('language: posts the choice and reloads without the language in the address', async () => {
  const fetch = vi.fn(async (..._call: unknown[]) => new Response());
  const { form, fire, location, history } = await open(language);
  stubForm();
  vi.stubGlobal('fetch', fetch);
  const event = fire('submit', { target: form, submitter: { value: 'fr' } });
  expect(event.defaultPrevented).toBe(true);
  await vi.waitFor(() => expect(location.reload).toHaveBeenCalledOnce());
  const [url, init] = fetch.mock.calls[0] as [string, RequestInit];
  expect([url, init.method, String(init.body), init.redirect]).toEqual([
    language.action,
    'POST',
    'language=fr',
    'manual',
  ]);
  const [state, , address] = history.replaceState.mock.calls[0] as unknown as [object, '', URL];
  expect([state, String(address)]).toEqual([{ depth: 5 }, `${at}?gclid=1`]);
  expect(writeHandover).toHaveBeenCalledExactlyOnceWith(5);
  expect(navigate).not.toHaveBeenCalled();
});

it('language: without a network the browser submits the form', async () => {
  const { form, fire, location } = await open(language);
  stubForm();
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  const submitter = { value: 'fr' };
  fire('submit', { target: form, submitter });
  await vi.waitFor(() => expect(form.requestSubmit).toHaveBeenCalledExactlyOnceWith(submitter));
  expect(location.reload).not.toHaveBeenCalled();
});
