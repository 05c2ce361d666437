import { beforeEach, expect, it, vi } from 'vitest';
import { pollTimeout } from '../../../poll-timeout.ts';
import { documentWith, element, openPage } from '../../dom.ts';

const navigate = vi.fn();
const switchLanguage = vi.fn();
vi.mock('../../../../islands/runtime/navigation/navigate.ts', () => ({ navigate }));
const loadShared = vi.fn(async (_urgent: boolean) => ({ switchLanguage }));
vi.mock('../../../../islands/runtime/hydration/chunks.ts', () => ({
  loadShared: (urgent: boolean) => loadShared(urgent),
}));

const at = 'https://a.example/signup';

/** A page with a form and a link; by default the form posts to this page. */
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
    hash: '#card',
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
])('forms: a form %s is left to the browser', async (_, options, inside, more) => {
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
  expect(navigate).toHaveBeenCalledExactlyOnceWith('/success', '#card');
});

it.each(['metaKey', 'ctrlKey', 'shiftKey', 'defaultPrevented'])(
  'links: a tap with %s is left to the browser',
  async (key) => {
    const { words, fire } = await open();
    fire('click', { target: words, [key]: true });
    expect(navigate).not.toHaveBeenCalled();
  },
);

it('links: other links and taps are left to the browser', async () => {
  const { fire, main } = await open();
  expect(fire('click', { target: main }).defaultPrevented).toBe(false);
  expect(navigate).not.toHaveBeenCalled();
});

it('forms: the language form has its own handler', async () => {
  const action = 'https://a.example/language';
  const { form, fire } = await open({ attributes: { action: '/language' }, action });
  const submitter = { value: 'fr' };
  expect(fire('submit', { target: form, submitter }).defaultPrevented).toBe(true);
  await vi.waitFor(
    () => expect(switchLanguage).toHaveBeenCalledExactlyOnceWith(form, submitter),
    pollTimeout,
  );
  // The visitor waits for it.
  expect(loadShared).toHaveBeenCalledExactlyOnceWith(true);
  expect(navigate).not.toHaveBeenCalled();
});
