import { expect } from 'vitest';
import type { Visit } from './browser-session.ts';
import { requestBodies } from './delay-requests.ts';
import { journey } from './run-journey.ts';

const wrong = 'Enter an email like name@example.com.';

async function atField(visitor: Visit) {
  await visitor.open('/signup');
  const field = visitor.page.locator('#email');
  await field.focus();
  await visitor.waitLive('email-form');
  const error = visitor.page.locator('#email-error');
  const expectError = (sentence: string) => expect.poll(() => error.textContent()).toBe(sentence);
  const shortcut = (host: string) =>
    visitor.page.getByRole('button', { name: `@${host}`, exact: true });
  return { field, expectError, shortcut, text: () => field.inputValue() };
}

const validation =
  'e-mail field: is validated on blur and Enter, not while typing, and Enter submits a valid address';
journey(validation, async ({ visitor }) => {
  const sent = requestBodies(visitor, 'POST', /\/signup$/);
  const { field, expectError: says } = await atField(visitor);
  await field.blur();
  await says('');
  await field.pressSequentially('ada@');
  await says('');
  await field.blur();
  await says(wrong);
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  await visitor.checkAccessibility();
  await field.pressSequentially('x');
  await says('');
  expect(await field.getAttribute('aria-invalid')).toBeNull();
  await field.fill('');
  await field.press('Enter');
  await says('Enter your email first.');
  await field.pressSequentially('ada');
  await field.press('Enter');
  await says(wrong);
  expect(sent).toEqual([]);
  await field.fill(visitor.email);
  await field.press('Enter');
  await visitor.arriveAt('checkout_v3_tr');
  expect(sent.map((body) => JSON.parse(body).email)).toEqual([visitor.email]);
});
