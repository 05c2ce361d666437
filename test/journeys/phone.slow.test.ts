import { expect } from 'vitest';
import type { Visit } from './browser-session.ts';
import { delayRequests } from './delay-requests.ts';
import { journey } from './run-journey.ts';

const field = ({ page }: Visit) => page.locator('#phone');
const valueIn = (visit: Visit) => field(visit).inputValue();
const country = ({ page }: Visit) => page.locator('select[name=country]').inputValue();

/** Pastes like a browser: the whole text, with its `inputType`. */
async function paste({ page }: Visit, text: string): Promise<void> {
  await page.locator('#phone').focus();
  await page.keyboard.press('Control+A');
  await page.evaluate((pasted) => {
    const input = document.querySelector('#phone') as HTMLInputElement;
    input.setRangeText(pasted, 0, input.value.length, 'end');
    input.dispatchEvent(new InputEvent('input', { inputType: 'insertFromPaste', bubbles: true }));
  }, text);
}

async function ready(visit: Visit): Promise<void> {
  const rules = visit.page.waitForResponse(/\/numbering\/.*\/1\.json$/);
  await visit.open();
  await visit.waitLive('phone-form');
  await field(visit).focus();
  await rules;
}

const formats =
  'phone field: formats while typing, changing and deleting; a pasted number sets country and national number';
journey(formats, async ({ visitor }) => {
  await ready(visitor);
  const box = await field(visitor).locator('..').boundingBox();
  expect(box?.height).toBe(51);
  await visitor.page.keyboard.type('2125550100', { delay: 5 });
  await expect.poll(() => valueIn(visitor)).toBe('(212) 555-0100');
  await visitor.page.keyboard.press('Home');
  for (const key of ['ArrowRight', 'ArrowRight', '9']) await visitor.page.keyboard.press(key);
  await visitor.page.keyboard.press('7');
  expect((await valueIn(visitor)).replace(/\D/g, '')).toBe('297125550100');
  for (const key of ['Backspace', 'Backspace']) await visitor.page.keyboard.press(key);
  expect(await valueIn(visitor)).toBe('(212) 555-0100');
  await visitor.page.keyboard.press('End');
  for (let left = 10; left > 0; left -= 1) await visitor.page.keyboard.press('Backspace');
  expect(await valueIn(visitor)).toBe('');
  const example = () => field(visitor).getAttribute('placeholder');
  expect(await example()).toBe('(201) 555-0123');
  for (const text of ['+44 20 7946 0958', '(011) 44 20-7946-0958', '٠٠٤٤ ٢٠ ٧٩٤٦ ٠٩٥٨']) {
    await visitor.page.locator('select[name=country]').selectOption('US');
    await paste(visitor, text);
    await expect.poll(() => valueIn(visitor)).toBe('020 7946 0958');
    await expect.poll(() => country(visitor)).toBe('GB');
    await expect.poll(example).toBe('07400 123456');
  }
  await visitor.checkAccessibility('phone-pasted');
});

journey('phone lookup: shows registration data and the map of the area', async ({ visitor }) => {
  // A quarter to eleven in Berlin. The zone's name is too long for its line, so the country's is shown.
  await visitor.page.clock.setFixedTime(new Date('2027-01-15T09:45:00Z'));
  await ready(visitor);
  await paste(visitor, '0049 30 1234-5678');
  await expect.poll(() => country(visitor)).toBe('DE');
  await visitor.button.click();
  await visitor.arriveAt('searching');
  await visitor.sees('This number can’t receive texts');
  await visitor.checkAccessibility('searching-landline');
  await visitor.page.locator('#send-link').click();
  await visitor.sees('Number checked');
  await visitor.sees('You send them the link yourself.');
  await visitor.page.getByRole('heading', { level: 1, name: /^Ready to ask them$/ }).waitFor();
  for (const text of [
    '+49 30 12345678',
    'Berlin',
    'Local time there',
    '10:45 AM',
    'Number registered in',
  ]) {
    await visitor.sees(text);
  }
  await visitor.page.getByRole('img', { name: /Approximate area.*Berlin/ }).waitFor();
  await visitor.sees('GeoNames');
  await visitor.checkAccessibility('searching-area');
});

journey(
  'phone field: formats and submits without the rules and loses no digit',
  async ({ visitor }) => {
    const release = await delayRequests(visitor, /\/numbering\/|phone-format/);
    await visitor.open();
    await visitor.waitLive('phone-form');
    await field(visitor).focus();
    await visitor.page.keyboard.type('2125550100');
    expect(await valueIn(visitor)).toBe('(212) 555-0100');
    await visitor.button.click();
    await visitor.arriveAt('searching');
    await visitor.sees('+1 212 555 0100');
    release();
  },
);
