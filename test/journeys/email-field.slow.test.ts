import { expect } from 'vitest';
import type { Visit } from './browser-session.ts';
import { requestBodies } from './delay-requests.ts';
import { full, journey } from './run-journey.ts';

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

journey(
  'e-mail field: a shortcut completes the address; a likely typo is offered in one line that takes no space',
  async ({ visitor }) => {
    const { field, expectError: says, shortcut, text } = await atField(visitor);
    const button = () => visitor.button.boundingBox();
    const before = await button();
    await field.pressSequentially('ada@ex');
    const [host = '', other = ''] = await visitor.page
      .locator('[data-shortcut]')
      .allTextContents()
      .then((names) => names.map((name) => name.slice(1)));
    await shortcut(host).hover();
    await visitor.page.mouse.down();
    await says('');
    await visitor.page.mouse.up();
    expect(await text()).toBe(`ada@${host}`);
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await shortcut(other).count()).toBe(0);
    expect((await shortcut(host).boundingBox())?.width).toBeGreaterThanOrEqual(90);
    const offer = visitor.page.getByRole('button', { name: /^Did you mean/ });
    await field.fill('ada@gmial.com');
    await field.blur();
    await offer.waitFor();
    expect(await offer.textContent()).toBe('Did you mean ada@gmail.com?');
    await expect
      .poll(() => visitor.page.locator('#announcer').textContent())
      .toBe('Did you mean ada@gmail.com?');
    await expect.poll(button).toEqual(before);
    await visitor.checkAccessibility('email-suggestion');
    await offer.click();
    expect(await text()).toBe('ada@gmail.com');
    await offer.waitFor({ state: 'detached' });
    const long = `${'a.very.long.name.'.repeat(4)}ada`;
    await field.fill(`${long}@hotmial.com`);
    await field.blur();
    await offer.waitFor();
    const [line, domain] = await Promise.all(
      [offer, offer.getByText('@hotmail.com')].map((part) => part.boundingBox()),
    );
    expect(line?.width).toBeLessThanOrEqual(343);
    expect((domain?.x ?? 0) + (domain?.width ?? 0)).toBeLessThanOrEqual(390 - 16);
  },
);

journey.runIf(full)(
  'e-mail field: a likely typo is offered while typing and holds no Continue',
  async ({ visitor }) => {
    const sent = requestBodies(visitor, 'POST', /\/signup$/);
    const { field } = await atField(visitor);
    const slip = `${visitor.email.split('@')[0]}@gmial.com`;
    await field.pressSequentially(slip);
    await visitor.page.getByRole('button', { name: /^Did you mean/ }).waitFor();
    await field.press('Enter');
    await visitor.arriveAt('checkout_v3_tr');
    expect(sent.map((body) => JSON.parse(body).email)).toEqual([slip]);
  },
);

journey.runIf(full)(
  'e-mail field: a typo checker that never loads blocks nothing',
  async ({ visitor }) => {
    const typoChecker = /\/email-typo\.[^/]+\.js$/;
    visitor.expects(typoChecker, 'aborted');
    await visitor.page.route(typoChecker, (route) => route.abort());
    const { field } = await atField(visitor);
    await field.fill(`${visitor.email.split('@')[0]}@gmial.com`);
    await field.blur();
    await visitor.button.click();
    await visitor.arriveAt('checkout_v3_tr');
  },
);
