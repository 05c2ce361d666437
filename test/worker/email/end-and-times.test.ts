import { expect, test } from 'vitest';
import { renderEmail } from '../../../worker/email/layout.ts';
import { invitationAnswer } from '../../../worker/email/templates/invitation-emails.ts';
import { templateContext } from './email-fixture.ts';

const content = { subject: 'A', paragraphs: ['One'] };

test('e-mail layout: every e-mail ends with the seller, unless its facts name it; a time stays whole', async () => {
  const seller = 'Funnel Ltd\n1 High Street';
  const about = { language: 'en', brand: 'Geozilla', seller };
  const endOf = async (more: object) => (await renderEmail({ ...content, ...more }, about)).text;
  expect(await endOf({})).toMatch(/\n\nFunnel Ltd · 1 High Street\n$/);
  expect(await endOf({ facts: [['Seller', seller]] })).not.toContain('·');
  const paragraphs = ['Until 9 AM.', 'Am 14. Dezember.', 'From December 7, 2026. Then $9.99. Bye.'];
  const { html } = await renderEmail({ ...content, paragraphs }, about);
  for (const text of ['9\u00a0AM', '14.\u00a0Dezember', '2026. Then', '9.99. Bye'])
    expect(html).toContain(text);
});

test('answer by e-mail: says how long the place can be seen', () => {
  const { paragraphs } = invitationAnswer.write(templateContext('en'), {
    answer: 'yes',
    number: '8',
    duration: 'day',
  });
  expect(paragraphs[1]).toMatch(/^You can see it for 24\shours after their yes, unless/);
});
